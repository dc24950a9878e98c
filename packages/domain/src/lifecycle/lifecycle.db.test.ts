import type {
  ObjectiveState,
  RequestStatus,
  RunOutcome,
  SessionStatus,
} from '@svc/contracts/states'
import type { AgentSessionRow } from '@svc/db/tables'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { inTransaction } from '../commit/transaction.ts'
import { moveRequest } from './move-request.ts'
import { moveObjective } from './move-objective.ts'
import { moveSession } from './move-session.ts'
import {
  type ObjectiveTrigger,
  type RequestTrigger,
  type SessionTrigger,
  objectiveLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from '../states/table.ts'
import { lockRun } from './lock-run.ts'
import { lockMission, lockObjectiveOf } from './locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Written from the design's tables. A trigger that is not named for a state must be refused there. */
const objectiveMoves: Record<ObjectiveState, Partial<Record<ObjectiveTrigger, ObjectiveState>>> = {
  draft: {
    launch: 'launching',
    attach: 'executing',
    advance: 'launching',
    awaitApproval: 'awaiting_approval',
    submit: 'submitted',
    queue: 'submitted',
    revive: 'executing',
  },
  submitted: {
    launch: 'launching',
    attach: 'executing',
    advance: 'launching',
    awaitApproval: 'awaiting_approval',
    sendBack: 'draft',
    revive: 'executing',
    restore: 'draft',
  },
  awaiting_approval: {
    launch: 'launching',
    attach: 'executing',
    queue: 'submitted',
    sendBack: 'draft',
    revive: 'executing',
    restore: 'draft',
  },
  // this one was launched when it was submitted
  launching: {
    launch: 'launching',
    attach: 'executing',
    launchMissing: 'submitted',
    launchFail: 'submitted',
    launchCancel: 'submitted',
  },
  executing: {
    ask: 'executing',
    deliver: 'complete',
    exit: 'submitted',
    lose: 'submitted',
    cancel: 'submitted',
  },
  complete: {},
}

type RequestState = Exclude<RequestStatus, 'launched'> | `launched ${RunOutcome}`

const requestMoves: Record<RequestState, Partial<Record<RequestTrigger, RequestState>>> = {
  queued: {
    claim: 'claimed',
    replace: 'cancelled',
    cancel: 'cancelled',
    supersede: 'cancelled',
  },
  claimed: {
    launching: 'launching',
    fail: 'failed',
    release: 'queued',
    hold: 'queued',
    requeue: 'queued',
    exhaust: 'failed',
    supersede: 'cancelled',
    cancel: 'cancelled',
  },
  launching: {
    launching: 'launching',
    launched: 'launched running',
    fail: 'failed',
    attach: 'launched running',
    release: 'queued',
    hold: 'queued',
    requeue: 'queued',
    exhaust: 'failed',
    cancel: 'cancelled',
  },
  'launched running': {
    attach: 'launched running',
    deliver: 'launched delivered',
    hold: 'queued',
    requeue: 'queued',
    exhaust: 'failed',
    exitBeforeAttach: 'failed',
    expire: 'expired',
    lose: 'launched lost',
    exit: 'launched exited',
    park: 'launched parked',
    parkAtLimit: 'launched parked',
    expireQuestion: 'launched cancelled',
    takeOver: 'launched cancelled',
    cancelRun: 'launched cancelled',
  },
  'launched lost': {
    attach: 'launched running',
    deliver: 'launched delivered',
    revive: 'launched running',
    takeOver: 'launched cancelled',
    cancelRun: 'launched cancelled',
  },
  'launched parked': {
    attach: 'launched running',
    deliver: 'launched delivered',
    revive: 'launched running',
    resume: 'launched exited',
    expireQuestion: 'launched cancelled',
    cancelRun: 'launched cancelled',
    takeOver: 'launched cancelled',
  },
  'launched delivered': {},
  'launched exited': {},
  'launched cancelled': {},
  failed: {},
  cancelled: {},
  expired: {},
}

class Undo extends Error {}

/** What `work` answers, with nothing of it kept. */
async function undone<T>(world: World, work: (tx: UnitOfWork) => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined
  try {
    await inTransaction(world, async (tx) => {
      answer = { value: await work(tx) }
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) return Promise.reject(error)
  }
  if (!answer) throw new Error('the work was not done')
  return answer.value
}

/** What is moved must be something that the database takes. */
async function codeOr<T>(
  tx: UnitOfWork,
  work: () => T | Promise<T>,
  say: (value: T) => string,
): Promise<string> {
  try {
    const moved = await work()
    await sql`select`.execute(tx)
    return say(moved)
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}

/** Every trigger with what it came to. */
function expected<T extends string>(triggers: T[], moves: Partial<Record<T, string>>) {
  return Object.fromEntries(triggers.map((one) => [one, moves[one] ?? 'invalid_transition']))
}

describe('an objective', () => {
  const triggers = Object.keys(objectiveLifecycle) as ObjectiveTrigger[] // its own keys

  test.for(Object.keys(objectiveMoves) as ObjectiveState[])(
    'that is %s moves by the table, and by nothing else',
    async (state, { world }) => {
      const { mission } = await world.missionWith(['write the docs'])
      const outcomes: Record<string, string> = {}
      for (const trigger of triggers) {
        outcomes[trigger] = await undone(world, (tx) =>
          fire(tx, world, mission, { state, trigger }),
        )
      }
      expect(outcomes).toEqual(expected(triggers, objectiveMoves[state]))
    },
  )

  async function fire(
    tx: UnitOfWork,
    world: World,
    { id, objectives }: { id: string; objectives: readonly { id: string }[] },
    { state, trigger }: { state: ObjectiveState; trigger: ObjectiveTrigger },
  ): Promise<string> {
    const objectiveId = objectives[0]?.id ?? ''
    const prior = state === 'launching' ? 'submitted' : null
    await sql`update objectives set state = ${state}, prior_state = ${prior} where id = ${objectiveId}`.execute(
      tx,
    )
    const mission = await lockMission(tx, world.workspaceId, id)
    const objective = await lockObjectiveOf(tx, mission, objectiveId)
    if (!objective) throw new Error('the objective has gone')
    const session = { id, agentIdentifier: 'claude', modelIdentifier: null }
    const payload = { session, delivery: { id }, run: { id, agent: 'claude', reason: 'why' } }
    const move = () => moveObjective(tx, trigger, { mission, objective, payload })
    return codeOr(tx, move, (moved) => moved.state)
  }
})

describe('an execution request', () => {
  const triggers = Object.keys(requestLifecycle) as RequestTrigger[] // its own keys

  test.for(Object.keys(requestMoves) as RequestState[])(
    'that is %s moves by the table, and by nothing else',
    async (state, { world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { executionRequest } = await alice.launch(mission.objectives[0])
      const outcomes: Record<string, string> = {}
      for (const trigger of triggers) {
        outcomes[trigger] = await undone(world, async (tx) => {
          const [status, outcome = null] = state.split(' ')
          await sql`update execution_requests set status = ${status}, outcome = ${outcome}
                     where id = ${executionRequest.id}`.execute(tx)
          const { request } = await lockRun(tx, world.workspaceId, executionRequest.id)
          const move = () => moveRequest(tx, trigger, request)
          return codeOr(tx, move, ({ status: now, outcome: came }) =>
            came === null ? now : `${now} ${came}`,
          )
        })
      }
      expect(outcomes).toEqual(expected(triggers, requestMoves[state]))
    },
  )
})

const sessionMoves: Record<SessionStatus, Partial<Record<SessionTrigger, SessionStatus>>> = {
  active: {
    ask: 'waiting_answer',
    fallSilent: 'stale',
    lose: 'lost',
    park: 'parked',
    ...ends(),
    revive: 'active',
  },
  waiting_answer: {
    ask: 'waiting_answer',
    takeAnswer: 'active',
    lose: 'lost',
    ...ends(),
    revive: 'active',
  },
  stale: {
    ask: 'waiting_answer',
    hear: 'active',
    lose: 'lost',
    park: 'parked',
    ...ends(),
    revive: 'active',
  },
  parked: { ...ends(), revive: 'active' },
  lost: { ...ends(), revive: 'active' },
  ended: {},
}

function ends() {
  return {
    deliver: 'ended',
    exit: 'ended',
    cancel: 'ended',
    supersede: 'ended',
    expireQuestion: 'ended',
  } as const
}

describe('a session', () => {
  const triggers = Object.keys(sessionLifecycle) as SessionTrigger[] // its own keys

  test.for(Object.keys(sessionMoves) as SessionStatus[])(
    'that is %s moves by the table, and else stays what it is',
    async (status, { world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const start = { objectiveId: mission.objectives[0].displayId }
      const { session } = await world.agentOf(alice, start).attach()
      const outcomes: Record<string, string> = {}
      for (const trigger of triggers) {
        outcomes[trigger] = await undone(world, async (tx) => {
          const reason = status === 'ended' ? 'exited' : null
          const { rows } = await sql<AgentSessionRow>`
            update agent_sessions set status = ${status}, end_reason = ${reason}
             where id = ${session.id} returning *`.execute(tx)
          await lockMission(tx, world.workspaceId, mission.id)
          const [row] = rows
          if (!row) throw new Error('the session has gone')
          return codeOr(
            tx,
            () => moveSession(tx, trigger, row),
            (moved) => moved.status,
          )
        })
      }
      const stays = Object.fromEntries(triggers.map((one) => [one, status]))
      expect(outcomes).toEqual({ ...stays, ...sessionMoves[status] })
    },
  )
})
