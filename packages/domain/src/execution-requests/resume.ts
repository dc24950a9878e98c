import { type MetLimit, describeLimit } from '@svc/contracts/agent-limit'
import type {
  AgentSessionRow,
  ExecutionRequestRow,
  ObjectiveRow,
  QuestionRow,
} from '@svc/db/tables'
import { gather } from '@svc/db/gather'
import { sql } from 'kysely'
import { mayNow } from '../access/member-may.ts'
import { type Author, byService, recordEvent } from '../commit/records.ts'
import type { Run } from '../lifecycle/lock-run.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { snapshotRun } from '../entities/missions/snapshot.ts'
import { launchStep, notifyOfObjective } from '../notifications/notify-of-objective.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { closeQuestion } from './close-question.ts'
import { selectPendingOfObjective } from '../entities/questions/queries.ts'
import { selectUnendedSessions } from '../entities/sessions/queries.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { wakeClaims } from '../runners/claim-hints.ts'
import { waitAfter } from '../entities/execution-requests/waits.ts'
import { insertRequest, selectNextSeq, seqOf } from './insert.ts'
import { notifyOfHold, releasedBy } from './hold-notice.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Exit = NonNullable<ExecutionRequestRow['exit']>
type Parking = Omit<Run, 'session'> & {
  author: Author
  question: QuestionRow
  exit?: ExecutionRequestRow['exit']
}

/** Its process is gone while it waits for an answer: the run goes on once that is there. Decision 34. */
export async function parkRun(tx: UnitOfWork, parking: Parking): Promise<ExecutionRequestRow> {
  const { request: running, question, author, exit } = parking
  const request = moveRequest(tx, 'park', running, {
    attach_by: null,
    ...(exit && { exit, ended_at: tx.locks.now }),
  })
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'run_ended',
      summary: 'The agent has ended; its work goes on when its question is answered',
      data: { executionRequestId: request.id, outcome: 'parked', questionId: question.id },
    },
  )
  if (question.status !== 'answered') return request
  await resumeRun(tx, { ...parking, request }, 'answer')
  return request
}

type Resuming = Pick<Run, 'mission' | 'objective' | 'request'>

/** What a parked run goes on with, without a word of a person. */
const goingOn = { answer: 'the answer', limit: 'the agent, once its provider takes work again' }
type ByItself = keyof typeof goingOn

export function goesOnByItself({ source }: Pick<ExecutionRequestRow, 'source'>): boolean {
  return Object.hasOwn(goingOn, source)
}

/**
 * A request that goes on with the parked run, on its machine, without queue or approval: the answer is there, or a limit
 * of its provider ended it. For whoever launched that one, whose right is asked for anew; undefined where it is gone, and
 * the objective waits. After a limit it begins once that is over. Decision 87.
 */
export async function resumeRun(
  tx: UnitOfWork,
  resuming: Resuming,
  source: ByItself,
): Promise<ExecutionRequestRow | undefined> {
  const { mission, objective, request: parked } = resuming
  const isGone = parked.ended_at !== null
  const owner = { workspaceId: parked.workspace_id, userId: parked.requested_by }
  const mayGoOn = await mayNow(tx, 'execution_request:create', owner)
  const closed = moveRequest(tx, 'resume', parked, {
    gone_on: mayGoOn,
    // one that was silent alone may come back: it learns that another went on
    generation: parked.generation + (isGone ? 0 : 1),
    lease_expires_at: null,
    ended_at: parked.ended_at ?? tx.locks.now,
  })
  if (!mayGoOn) {
    await giveUpResume(tx, { ...resuming, request: closed, author: byService })
    return undefined
  }
  const request = await insertResume(tx, closed, source)
  recordEvent(
    tx,
    byService,
    { execution_request: request },
    {
      type: 'execution_requested',
      summary: `${displayIdOf(mission, objective)} goes on with ${goingOn[source]}`,
      data: { executionRequestId: request.id, agent: request.agent, source: request.source },
    },
  )
  await notifyOfHold(tx, { mission, objective, request }, parked)
  wakeClaims(tx, request)
  return request
}

async function insertResume(
  tx: UnitOfWork,
  of: ExecutionRequestRow,
  source: ByItself,
): Promise<ExecutionRequestRow> {
  const { devices, next } = await gather(tx, { devices: selectDevice(of), next: selectNextSeq() })
  return insertRequest(tx, {
    workspace_id: of.workspace_id,
    project_id: of.project_id,
    mission_id: of.mission_id,
    objective_id: of.objective_id,
    seq: seqOf(next),
    kind: 'resume',
    source,
    agent: of.agent,
    resource_key: of.resource_key,
    config: of.config,
    requested_by: of.requested_by,
    resume_of: of.id,
    only_device: devices[0]?.fingerprint ?? null,
    ...holdAfter(tx, of),
  })
}

/** The limit that ended it may last longer than its answer took. */
function holdAfter(tx: UnitOfWork, of: ExecutionRequestRow): Partial<ExecutionRequestRow> {
  const { limit, agentError } = of.exit ?? {}
  const { now } = tx.locks
  if (limit?.until === undefined || new Date(limit.until) <= now) return {}
  const { waits, until } = waitAfter(tx, of, limit.kind, limit.until)
  const release = releasedBy(limit.kind, of.agent, agentError)
  const last_release = { ...release, at: now.toISOString(), until: until.toISOString() }
  return { waits, run_after: until, last_release }
}

/**
 * The machine that it ran on: the agent's own session and what it has not committed are there alone. None where that was an
 * ephemeral runner, which has pushed what it had: whichever takes it begins a new session.
 */
export function selectDevice({ workspace_id, runner_id }: ExecutionRequestRow) {
  return sql<{ fingerprint: string }>`
    select fingerprint from runners where workspace_id = ${workspace_id} and id = ${runner_id}
       and not ephemeral`
}

type AtLimit = Omit<Parking, 'question' | 'exit'> &
  Pick<Run, 'session'> & { exit: Exit & { limit: MetLimit } }

/** A limit of its provider ended its process: the run goes on by itself once that is over. Decision 87. */
export async function parkAtLimit(tx: UnitOfWork, parking: AtLimit): Promise<ExecutionRequestRow> {
  const { request: running, session, author, exit } = parking
  const ended = { attach_by: null, exit, ended_at: tx.locks.now }
  const request = moveRequest(tx, 'parkAtLimit', running, ended)
  if (session) moveSession(tx, 'park', session)
  const { kind, until } = exit.limit
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'run_ended',
      summary: `The agent has ended, since ${describeLimit(kind)}; its work goes on once that is over`,
      data: { executionRequestId: request.id, outcome: 'parked', reason: kind, until },
    },
  )
  await resumeRun(tx, { ...parking, request }, 'limit')
  return request
}

interface GivenUp extends Pick<Run, 'mission' | 'objective'> {
  /** The one that was to go on, or that it would have gone on with. */
  request: ExecutionRequestRow
  author: Author
}

/** Nothing goes on with the parked work: what it asked is withdrawn, and the objective waits to be launched again. */
export async function giveUpResume(
  tx: UnitOfWork,
  { mission, objective, request, author }: GivenUp,
): Promise<ObjectiveRow> {
  const question = await selectPendingOfObjective(tx, objective).executeTakeFirst()
  if (question) {
    const summary = 'Nobody is there to take the answer'
    await closeQuestion(tx, 'withdraw', question, { author, summary })
  }
  const session = await findParkedSession(tx, request)
  if (session) moveSession(tx, 'exit', session)
  const what = `could not go on${question ? ' with the answer' : ''}`
  const next = launchStep({ mission, objective }, request.agent)
  await notifyOfObjective(tx, { mission, objective, request }, { kind: 'run_ended', what, next })
  if (objective.state !== 'executing') return objective
  const why = question ? 'Nobody is there to take the answer' : 'Nobody may go on with it'
  const payload = { run: snapshotRun({ request, session }, why) }
  const set = { last_outcome: 'exited' } as const
  const ended = await moveObjective(tx, 'exit', { mission, objective, set, payload })
  await followRunEnd(tx, { mission, objective: ended }, 'exited')
  return ended
}

/** The session that this one goes on from is open until another one attaches in its place. */
export function findParkedSession(
  tx: Tx,
  { workspace_id, objective_id, id, resume_of }: ExecutionRequestRow,
): Promise<AgentSessionRow | undefined> {
  return selectUnendedSessions(tx, { workspace_id, id: objective_id })
    .where('execution_request_id', 'in', resume_of === null ? [id] : [id, resume_of])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
