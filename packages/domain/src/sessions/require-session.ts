import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound, validationFailed } from '../common/errors.ts'
import { where } from '../states/states.ts'
import { type MissionRecord, requireMission } from '../entities/missions/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { findDeletion, findSessionOfDeleted } from '../deletion/find-deletion.ts'
import { requireScopedObjective } from '../entities/objectives/pin.ts'
import { requireSession } from '../entities/sessions/queries.ts'

/** How a mission-scoped call names its mission; what is given must agree. */
export interface MissionScope {
  missionId?: string | undefined
  objectiveId?: string | undefined
  sessionKey?: string | undefined
  /** Also in what was deleted. */
  isDeletedToo?: boolean
}

/** Says no more than the caller did; a key is a secret and is not repeated. */
export function sessionNotFound({
  missionId,
  objectiveId,
  sessionKey,
}: MissionScope): ServiceError {
  if (sessionKey === undefined) return notFound('session', `of ${objectiveId ?? missionId}`)
  const isSecret = !isObjectiveDisplayId(sessionKey)
  return notFound('session', isSecret ? 'with this key' : `of ${sessionKey}`)
}

/** What was deleted is said to be: of their own, they knew. */
export async function missingSession(
  db: Queryable,
  actor: Actor,
  scope: MissionScope,
): Promise<ServiceError> {
  return (await findDeletion(db, actor, scope)) ?? sessionNotFound(scope)
}

/**
 * The caller's own session that a scope names: by its key, by its objective, or as the only live one of the mission.
 * All that is given must agree.
 */
export async function requireSessionOf(
  db: Queryable,
  actor: Actor,
  scope: MissionScope,
): Promise<AgentSessionRow> {
  try {
    if (scope.sessionKey === undefined && scope.objectiveId === undefined) {
      return await onlyLiveSession(db, actor, scope)
    }
    const named =
      scope.objectiveId === undefined ? undefined : await namedObjective(db, actor, scope)
    const session = await requireSession(db, actor, scope.sessionKey ?? named?.displayId ?? '')
    if (named && session.objective_id !== named.id) throw sessionNotFound(scope)
    if (scope.missionId === undefined) return session
    const mission = await requireMission(db, actor.workspaceId, scope.missionId)
    if (session.mission_id !== mission.id) throw sessionNotFound(scope)
    return session
  } catch (error) {
    // what is not there and what is somebody else's read alike
    if (!isServiceError(error) || error.code !== 'not_found') throw error
    const deleted = scope.isDeletedToo ? await findSessionOfDeleted(db, actor, scope) : undefined
    if (deleted) return deleted
    throw await missingSession(db, actor, scope)
  }
}

async function namedObjective(db: Queryable, actor: Actor, scope: MissionScope) {
  const { mission, objective } = await requireScopedObjective(db, actor.workspaceId, scope)
  return { id: objective.id, displayId: displayIdOf(mission, objective) }
}

function accessColumnsOfSessions({ project_id }: MissionRecord) {
  const [missionId, objectiveId] = [sql`mission_id`, sql`objective_id`]
  return { projectId: sql`${project_id}::uuid`, missionId, objectiveId }
}

async function onlyLiveSession(
  db: Queryable,
  actor: Actor,
  scope: MissionScope,
): Promise<AgentSessionRow> {
  const mission = await requireMission(db, actor.workspaceId, scope.missionId ?? '')
  const [session, another] = await db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where('objective_id', 'in', (of) =>
      of
        .selectFrom('objectives')
        .select('id')
        .where('workspace_id', '=', actor.workspaceId)
        .where('mission_id', '=', mission.id),
    )
    .where(where.unendedSession())
    .where(whereVisibleTo(actor, accessColumnsOfSessions(mission)))
    .limit(2)
    .execute()
  if (!session) throw sessionNotFound(scope)
  if (!another) return session
  throw validationFailed('sessionKey', 'several of your sessions work on this mission; name one')
}
