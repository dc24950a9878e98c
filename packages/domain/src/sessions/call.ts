import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Permission } from '@svc/contracts/permissions'
import type {
  AgentSessionRow,
  ExecutionRequestRow,
  ObjectiveRow,
  ProjectRow,
  QuestionRow,
} from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import type { Author } from '../commit/records.ts'
import { selectChecks } from '../entities/projects/queries.ts'
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
  /** Those of its project; none where the call does not ask for them. */
  checks: ProjectRow['checks']
}

export async function lockSessionCall(
  tx: UnitOfWork,
  actor: Actor,
  permission: Permission,
  scope: MissionScope,
): Promise<SessionCall> {
  const run = await lockScope(tx, actor, scope)
  if (!run?.session) throw await missingSession(tx, actor, scope)
  const { mission, objective, request, session, newest, extraReads } = run
  const missing = sessionNotFound(scope)
  const accessScope = { ...scopeOfMission(mission, mission.id), objectiveId: objective.id, missing }
  authorize(actor, permission, accessScope)
  const author = { userId: actor.userId, role: 'agent' } as const
  const hasBatches = extraReads.batches.length > 0
  const question = extraReads.questions.find(({ session_id }) => session_id === session.id)
  const checks = extraReads.projects[0]?.checks ?? {}
  return { mission, objective, request, session, author, newest, hasBatches, question, checks }
}

async function lockScope(tx: UnitOfWork, actor: Actor, scope: MissionScope) {
  const { workspaceId } = actor
  const extraReads = ({ objective, project }: NamedIds) => ({
    projects: selectChecks(workspaceId, scope.readsChecks ? project : null),
    batches: selectWaitingBatches(tx, { workspace_id: workspaceId, id: objective }),
    // a question waits for the one session of its objective that has not ended
    questions: selectPendingOfObjective(tx, { workspace_id: workspaceId, id: objective }),
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
  const session = await touchSession(tx, call.session)
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
