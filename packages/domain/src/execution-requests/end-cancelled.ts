import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type Author, recordEvent } from '../commit/records.ts'
import { withUseOf } from '../lifecycle/count-run.ts'
import type { Run } from '../lifecycle/lock-run.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { isActive } from '../states/states.ts'
import { snapshotRun } from '../entities/missions/snapshot.ts'
import { closeQuestion } from './close-question.ts'
import { selectPendingOfObjective } from '../entities/questions/queries.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { findParkedSession } from './resume.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A run that ends, who says so, and how its process ended where that is known. */
export interface Ending {
  run: Run
  author: Author
  exit?: ExecutionRequestRow['exit'] | undefined
}

interface How {
  /** Whoever had it has said that it is over; else its generation is superseded, and so is what it says later. */
  isOver: boolean
}

/** A run that a person called off has ended: its objective goes back, and waits for a person. Decision 31. */
export async function endCancelled(
  tx: UnitOfWork,
  { run, author, exit }: Ending,
  { isOver }: How,
): Promise<{ request: ExecutionRequestRow; objective: ObjectiveRow }> {
  const { mission } = run
  // the objective of a lost run has gone back already, and may be another's by now
  const isOurs = run.request.outcome !== 'lost' && isActive(run.objective.state)
  const request = moveRequest(
    tx,
    run.request.status === 'launched' ? 'cancelRun' : 'cancel',
    run.request,
    {
      ...(exit && { exit }),
      generation: run.request.generation + (isOver ? 0 : 1),
      cancel_reason: run.request.cancel_reason,
      lease_expires_at: null,
      attach_by: null,
      ended_at: tx.locks.now,
    },
  )
  const why = request.cancel_reason === null ? 'Cancelled' : `Cancelled: ${request.cancel_reason}`
  const summary = isOver ? why : `${why}. Its process may still run on its machine`
  const session = run.session ?? (await findParkedSession(tx, request))
  if (session) moveSession(tx, 'cancel', session)
  const question = isOurs && (await selectPendingOfObjective(tx, run.objective).executeTakeFirst())
  if (question) await closeQuestion(tx, 'withdraw', question, { author, summary: why })
  const objective = isOurs
    ? await moveObjective(tx, run.objective.state === 'launching' ? 'launchCancel' : 'cancel', {
        mission,
        objective: run.objective,
        set: { last_outcome: 'cancelled' },
        payload: { run: snapshotRun({ request, session }, summary) },
      })
    : run.objective
  if (isOurs) await followRunEnd(tx, { mission, objective }, 'cancelled')
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'execution_cancelled',
      summary,
      data: { executionRequestId: request.id, agent: request.agent },
    },
  )
  const moved = { before: run.request, after: request }
  return { request, objective: await withUseOf(tx, objective, moved) }
}
