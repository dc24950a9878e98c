import type { ObjectiveState, RequestStatus, RunOutcome } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import { type World, test } from '@svc/testing/world'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { moveRequest } from './move-request.ts'
import { lockRun } from '../execution-requests/run.ts'
import { lockMission } from '../missions/queries.ts'
import { lockObjectiveOf } from '../objectives/queries.ts'
import { moveObjective } from './move-objective.ts'
import {
  type ObjectiveTrigger,
  type RequestTrigger,
  objectiveLifecycle,
  requestLifecycle,
} from './table.ts'

/** Written from the design's tables. A trigger that is not named for a state must be refused there. */
const objectiveMoves: Record<ObjectiveState, Partial<Record<ObjectiveTrigger, ObjectiveState>>> = {
  draft: {
    launch: 'launching',
    attach: 'executing',
    advance: 'launching',
    awaitApproval: 'awaiting_approval',
    submit: 'submitted',
    revive: 'executing',
  },
  submitted: {
    launch: 'launching',
    attach: 'executing',
    advance: 'launching',
    awaitApproval: 'awaiting_approval',
    sendBack: 'draft',
    revive: 'executing',
  },
  awaiting_approval: {
    launch: 'launching',
    attach: 'executing',
    sendBack: 'draft',
    revive: 'executing',
  },
  // this one was launched when it was submitted
  launching: { launch: 'launching', attach: 'executing', runNotStarted: 'submitted' },
  executing: { deliver: 'complete', runEnded: 'submitted' },
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
    requeue: 'queued',
    exhaust: 'failed',
    supersede: 'cancelled',
  },
  launching: {
    launching: 'launching',
    launched: 'launched running',
    fail: 'failed',
    attach: 'launched running',
    release: 'queued',
    requeue: 'queued',
    exhaust: 'failed',
  },
  'launched running': {
    attach: 'launched running',
    deliver: 'launched delivered',
    requeue: 'queued',
    exhaust: 'failed',
    exitBeforeAttach: 'failed',
    expire: 'expired',
    lose: 'launched lost',
    exit: 'launched exited',
    takeOver: 'launched cancelled',
  },
  'launched lost': {
    attach: 'launched running',
    deliver: 'launched delivered',
    revive: 'launched running',
  },
  'launched parked': {},
  'launched delivered': {},
  'launched exited': {},
  'launched cancelled': {},
  failed: {},
  cancelled: {},
  expired: {},
}

class Undo extends Error {}

/** What `work` answers, with nothing of it kept. */
async function undone<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined
  try {
    await world.domain.db.transaction().execute(async (tx) => {
      answer = { value: await work(tx) }
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) return Promise.reject(error)
  }
  if (!answer) throw new Error('the work was not done')
  return answer.value
}

async function codeOr<T>(work: Promise<T>, say: (value: T) => string): Promise<string> {
  return work.then(say, (error: unknown) => String((error as { code?: string }).code))
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
        outcomes[trigger] = await undone(world, (tx) => fire(tx, world, mission, state, trigger))
      }
      expect(outcomes).toEqual(expected(triggers, objectiveMoves[state]))
    },
  )

  async function fire(
    tx: Tx,
    world: World,
    { id, objectives }: { id: string; objectives: readonly { id: string }[] },
    state: ObjectiveState,
    trigger: ObjectiveTrigger,
  ): Promise<string> {
    const objectiveId = objectives[0]?.id ?? ''
    const prior = state === 'launching' ? 'submitted' : null
    await sql`update objectives set state = ${state}, prior_state = ${prior} where id = ${objectiveId}`.execute(
      tx,
    )
    const mission = await lockMission(tx, world.workspaceId, id)
    const objective = await lockObjectiveOf(tx, mission, objectiveId)
    if (!objective) throw new Error('the objective has gone')
    return codeOr(moveObjective(tx, trigger, { mission, objective }), (moved) => moved.state)
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
          return codeOr(moveRequest(tx, trigger, request), (moved) =>
            moved.outcome === null ? moved.status : `${moved.status} ${moved.outcome}`,
          )
        })
      }
      expect(outcomes).toEqual(expected(triggers, requestMoves[state]))
    },
  )
})
