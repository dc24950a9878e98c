import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { cancelRun } from '../execution-requests/cancel.ts'
import { findSessionOf } from '../entities/execution-requests/queries.ts'
import { viewRequest } from '../entities/execution-requests/views.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { snapshotRun } from '../entities/missions/snapshot.ts'
import { closeQuestion } from '../execution-requests/close-question.ts'
import { selectPendingOfObjective } from '../entities/questions/queries.ts'
import { findPausedBy } from '../entities/run-queues/paused-by.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { selectUnendedSessions } from '../entities/sessions/queries.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import { lockLiveRequest } from '../launching/relaunch.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Ends what works on an objective: its run, or the agent that attached by itself. Decision 31. */
export async function cancelObjective(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'cancelObjective'>,
): Promise<RouteOutput<'cancelObjective'>> {
  return inTransaction(context, async (tx) => {
    const { mission, objective } = await lockMissionAndObjective(tx, actor.workspaceId, input.id)
    authorize(actor, 'execution_request:create', scopeOfObjective({ mission, objective }, input.id))
    const author: Author = { userId: actor.userId, role: 'person' }
    const work = await lockWork(tx, objective)
    const pausesQueue = await findPausedBy(tx, objective)
    const cancelled = await cancelWork(tx, author, { mission, ...work }, input.reason)
    return {
      executionRequest: cancelled.request && (await viewRequest(tx, actor, cancelled.request)),
      objective: viewObjective(mission, cancelled.objective),
      alreadyFinished: cancelled.alreadyFinished,
      pausesQueue: cancelled.alreadyFinished ? null : pausesQueue,
    }
  })
}

/** What works on the objective, if anything does. */
export interface Work {
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
  session: AgentSessionRow | undefined
}

/** The caller holds the locks of mission and objective, without which no session begins or ends. */
export async function lockWork(tx: UnitOfWork, objective: ObjectiveRow): Promise<Work> {
  const request = await lockLiveRequest(tx, objective)
  const session = request
    ? await findSessionOf(tx, request)
    : await selectUnendedSessions(tx, objective).where('status', '!=', 'lost').executeTakeFirst()
  return { objective, request, session }
}

interface Cancelled {
  request: ExecutionRequestRow | null
  objective: ObjectiveRow
  alreadyFinished: boolean
}

export async function cancelWork(
  tx: UnitOfWork,
  author: Author,
  work: Work & { mission: MissionRecord },
  reason?: string,
): Promise<Cancelled> {
  const { mission, objective, request, session } = work
  if (request) return cancelRun(tx, author, { mission, objective, request, session }, reason)
  if (!session) return { request: null, objective, alreadyFinished: true }
  const summary = reason === undefined ? 'Called off' : `Called off: ${reason}`
  // nobody has started it, so nobody can end its process: it learns by its next call that it has to stop
  moveSession(tx, 'cancel', session)
  const moved = await moveObjective(tx, 'cancel', {
    mission,
    objective,
    set: { last_outcome: 'cancelled' },
    payload: { run: snapshotRun({ session }, summary) },
  })
  const question = await selectPendingOfObjective(tx, objective).executeTakeFirst()
  if (question) await closeQuestion(tx, 'withdraw', question, { author, summary })
  await followRunEnd(tx, { mission, objective: moved }, 'cancelled')
  recordEvent(
    tx,
    author,
    { objective },
    { type: 'execution_cancelled', summary, data: { agent: session.agent_identifier } },
  )
  return { request: null, objective: moved, alreadyFinished: false }
}
