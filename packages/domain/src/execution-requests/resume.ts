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
import { insertRequest, selectNextSeq, seqOf } from './insert.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

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
  await resumeRun(tx, { ...parking, request })
  return request
}

type Resuming = Pick<Run, 'mission' | 'objective' | 'request'> & { question: QuestionRow }

/**
 * The answer is there: a request that goes on with the parked run, on its machine, without queue or approval. For
 * whoever launched that one, whose right is asked for anew; undefined where it is gone, and the objective waits.
 */
export async function resumeRun(
  tx: UnitOfWork,
  resuming: Resuming,
): Promise<ExecutionRequestRow | undefined> {
  const { mission, objective, request: parked } = resuming
  const isGone = parked.ended_at !== null
  const closed = moveRequest(tx, 'resume', parked, {
    // one that was silent alone may come back: it learns that another went on
    generation: parked.generation + (isGone ? 0 : 1),
    lease_expires_at: null,
    ended_at: parked.ended_at ?? tx.locks.now,
  })
  const owner = { workspaceId: parked.workspace_id, userId: parked.requested_by }
  if (!(await mayNow(tx, 'execution_request:create', owner))) {
    await giveUpResume(tx, { ...resuming, request: closed, author: byService })
    return undefined
  }
  const request = await insertResume(tx, closed)
  recordEvent(
    tx,
    byService,
    { execution_request: request },
    {
      type: 'execution_requested',
      summary: `${displayIdOf(mission, objective)} goes on with the answer, with ${request.agent}`,
      data: { executionRequestId: request.id, agent: request.agent, source: request.source },
    },
  )
  wakeClaims(tx, request)
  return request
}

async function insertResume(tx: UnitOfWork, of: ExecutionRequestRow): Promise<ExecutionRequestRow> {
  const { devices, next } = await gather(tx, { devices: selectDevice(of), next: selectNextSeq() })
  return insertRequest(tx, {
    workspace_id: of.workspace_id,
    project_id: of.project_id,
    mission_id: of.mission_id,
    objective_id: of.objective_id,
    seq: seqOf(next),
    kind: 'resume',
    source: 'answer',
    agent: of.agent,
    resource_key: of.resource_key,
    config: of.config,
    requested_by: of.requested_by,
    resume_of: of.id,
    only_device: devices[0]?.fingerprint ?? null,
  })
}

/** The machine that it ran on: the agent's own session and what it has not committed are there alone. */
export function selectDevice({ workspace_id, runner_id }: ExecutionRequestRow) {
  return sql<{ fingerprint: string }>`
    select fingerprint from runners where workspace_id = ${workspace_id} and id = ${runner_id}`
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
  const what = 'could not go on with the answer'
  const next = launchStep({ mission, objective }, request.agent)
  await notifyOfObjective(tx, { mission, objective, request }, { kind: 'run_ended', what, next })
  if (objective.state !== 'executing') return objective
  const payload = { run: snapshotRun({ request, session }, 'Nobody is there to take the answer') }
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
