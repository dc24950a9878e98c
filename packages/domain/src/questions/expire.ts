import { isLive } from '@svc/contracts/states'
import type { ExecutionRequestRow, QuestionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { byService } from '../commit/records.ts'
import { eachDue } from '../commit/each-due.ts'
import type { Domain } from '../domain.ts'
import { endWaiting } from '../execution-requests/cancel.ts'
import { findLiveRequest } from '../entities/execution-requests/queries.ts'
import { lockKnown } from '../lifecycle/lock-run.ts'
import { snapshotRun } from '../entities/missions/snapshot.ts'
import { launchStep, notifyOfObjective } from '../notifications/notify-of-objective.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { allowsRequest } from '../states/table.ts'
import { closeQuestion } from '../execution-requests/close-question.ts'
import { requireQuestion } from '../entities/questions/queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Key = Pick<QuestionRow, 'workspace_id' | 'id'>
const isDue = sql<boolean>`closed_at is null and expires_at < app.now()`

/** What nobody answered in time, and what nobody came for, ends the run that asked. Decision 34. */
export async function expireQuestions(domain: Domain): Promise<void> {
  await eachDue(domain, {
    find: (most) =>
      domain.db
        .selectFrom('questions')
        .select(['workspace_id', 'id'])
        .where(isDue)
        .orderBy('expires_at')
        .limit(most)
        .execute(),
    lock: lockDue,
    work: expireQuestion,
  })
}

async function lockDue(tx: UnitOfWork, { workspace_id: workspaceId, id }: Key) {
  const seen = await requireQuestion(tx, workspaceId, id)
  const live = await findLiveRequest(tx, { workspace_id: workspaceId, id: seen.objective_id })
  const run = await lockKnown(tx, {
    workspaceId,
    missionId: seen.mission_id,
    objectiveId: seen.objective_id,
    // where a run was to go on with the answer, this is the request that goes on
    requestId: live?.id ?? seen.execution_request_id,
    sessionId: seen.session_id,
    extraReads: () => ({ questions: selectDue(tx, seen) }),
  })
  const [question] = run?.extraReads.questions ?? []
  if (!run || !question) return undefined
  const { newest, request } = run
  // it came in between: the next pass sees it
  if (newest && isLive(newest) && newest.id !== request?.id) return undefined
  return { ...run, question, asking: seen.execution_request_id }
}

type Due = NonNullable<Awaited<ReturnType<typeof lockDue>>>

async function expireQuestion(tx: UnitOfWork, due: Due): Promise<void> {
  const { mission, objective, request, session, question, asking } = due
  if (request && !endGoingOn(tx, request, asking)) return
  const summary = 'It was open for too long; the objective waits to be launched again'
  await closeQuestion(tx, 'expire', question, { author: byService, summary })
  if (session) moveSession(tx, 'expireQuestion', session)
  if (request && allowsRequest('expireQuestion', request)) {
    moveRequest(tx, 'expireQuestion', request, {
      // its supervisor learns with the next renewal that it was superseded, and ends the agent
      generation: request.generation + 1,
      lease_expires_at: null,
      ended_at: request.ended_at ?? tx.locks.now,
    })
  }
  if (objective.state === 'executing') {
    const set = { last_outcome: 'question_expired' } as const
    const payload = { run: snapshotRun({ request, session }, summary) }
    const ended = await moveObjective(tx, 'exit', { mission, objective, set, payload })
    await followRunEnd(tx, { mission, objective: ended }, 'question_expired')
    const of = { mission, objective: ended, request, session }
    const what = 'is not done: its question was open for too long'
    const next = launchStep(of, request?.agent)
    await notifyOfObjective(tx, of, { kind: 'run_ended', what, next })
  }
}

/**
 * The request that was to bring the answer, and that no machine took, ends too. False where an agent is on its way with
 * it: whether that attaches is known soon.
 */
function endGoingOn(tx: UnitOfWork, request: ExecutionRequestRow, asking: string | null): boolean {
  if (!isLive(request) || request.id === asking) return true
  if (!allowsRequest('supersede', request)) return false
  const summary = 'Cancelled: no machine came for the answer in time'
  endWaiting(tx, 'supersede', request, { author: byService, summary })
  return true
}

function selectDue(tx: UnitOfWork, { workspace_id, id }: Key) {
  return tx
    .selectFrom('questions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where(isDue)
}
