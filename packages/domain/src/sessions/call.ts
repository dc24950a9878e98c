import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Permission } from '@svc/contracts/permissions'
import type { Gathered, Queries } from '@svc/db/gather'
import type {
  AgentSessionRow,
  ExecutionRequestRow,
  ObjectiveRow,
  QuestionRow,
} from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import type { Author } from '../commit/records.ts'
import { selectPendingOfObjective } from '../entities/questions/queries.ts'
import { hashSessionKey } from '../entities/sessions/queries.ts'
import { refuseIfEnded } from './refuse-ended.ts'
import {
  type MissionScope,
  missingSession,
  requireSessionOf,
  sessionNotFound,
} from './require-session.ts'
import { touchSession } from '../lifecycle/move-session.ts'
import { selectWaitingBatches } from './drain-ledger.ts'
import { resumeLost, unpark } from '../execution-requests/resume-lost.ts'
import { type NamedIds, lockKnown, lockSessionByKey } from '../lifecycle/lock-run.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** A session and all that its call may move, locked in the lock order and read after the locks. */
export interface SessionCall {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
  session: AgentSessionRow
  author: Author
  /** The newest request of the objective. */
  newest: ExecutionRequestRow | undefined
  /** Changed files of the objective wait to be drained. */
  hasBatches: boolean
  /** What it has asked that is not over. */
  question: QuestionRow | undefined
}

interface Scope<Q extends Queries> extends MissionScope {
  /** What this call is decided by in addition, read with the rest. */
  extraReads?: (ids: NamedIds) => Q
}

export async function lockSessionCall<Q extends Queries = Record<never, never>>(
  tx: UnitOfWork,
  actor: Actor,
  permission: Permission,
  scope: Scope<Q>,
): Promise<SessionCall & { extraReads: Gathered<Q> }> {
  const run = await lockScope(tx, actor, scope)
  if (!run?.session) throw await missingSession(tx, actor, scope)
  const { mission, objective, request, session, newest, extraReads } = run
  // the names are those of these two, which share none, and one statement reads them all
  const own = extraReads as unknown as Gathered<ReturnType<typeof selectOwn>>
  const missing = () => sessionNotFound(scope)
  const accessScope = { ...scopeOfMission(mission, mission.id), objectiveId: objective.id, missing }
  authorize(actor, permission, accessScope)
  const author = { userId: actor.userId, role: 'agent' } as const
  const hasBatches = own.batches.length > 0
  const question = own.questions.find(({ session_id }) => session_id === session.id)
  return { mission, objective, request, session, author, newest, hasBatches, question, extraReads }
}

function selectOwn(tx: Tx, workspaceId: string, { objective }: NamedIds) {
  return {
    batches: selectWaitingBatches(tx, { workspace_id: workspaceId, id: objective }),
    // a question waits for the one session of its objective that has not ended
    questions: selectPendingOfObjective(tx, { workspace_id: workspaceId, id: objective }),
  }
}

async function lockScope<Q extends Queries>(tx: UnitOfWork, actor: Actor, scope: Scope<Q>) {
  const { workspaceId } = actor
  const extraReads = (ids: NamedIds) => ({
    // none is asked for where the call names none
    ...(scope.extraReads?.(ids) as Q),
    ...selectOwn(tx, workspaceId, ids),
  })
  const { missionId, objectiveId, sessionKey, isDeletedToo = false } = scope
  const isKeyAlone = missionId === undefined && objectiveId === undefined
  if (isKeyAlone && sessionKey !== undefined && !isObjectiveDisplayId(sessionKey)) {
    return lockSessionByKey(tx, actor, hashSessionKey(sessionKey), { extraReads, isDeletedToo })
  }
  const found = await requireSessionOf(tx, actor, scope)
  return lockKnown(tx, {
    workspaceId,
    missionId: found.mission_id,
    objectiveId: found.objective_id,
    requestId: found.execution_request_id,
    sessionId: found.id,
    extraReads,
    isDeletedToo,
  })
}

/**
 * The guard of every call but a repeated delivery: an ended session and one that another run has replaced may do
 * nothing more, a lost one goes on where it can.
 */
export async function continueSession(tx: UnitOfWork, call: SessionCall): Promise<SessionCall> {
  refuseIfOver(call)
  if (call.session.status === 'lost') {
    return { ...call, ...(await resumeLost(tx, call, call.session)) }
  }
  const session = touchSession(tx, call.session)
  return { ...call, session, request: call.request && (await unpark(tx, call.request)) }
}

export function refuseIfOver(call: SessionCall): void {
  if (!isCurrent(call)) {
    throw new ServiceError(
      'stale_execution',
      'Another run of this objective came after this one. Stop; what is done here will not be taken.',
    )
  }
  refuseIfEnded(call.session, call.mission)
}

/** Whether the session is of the objective's newest request in its present generation or, without one, none is newer. */
function isCurrent({ newest, session }: SessionCall): boolean {
  if (!newest) return true
  if (session.execution_request_id === null) return session.seq > newest.seq
  return session.execution_request_id === newest.id && session.generation === newest.generation
}
