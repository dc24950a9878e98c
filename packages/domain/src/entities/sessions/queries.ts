import { createHash } from 'node:crypto'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow, ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../../common/actor.ts'
import { notFound } from '../../common/errors.ts'
import { where } from '../../states/states.ts'
import { requireObjective } from '../objectives/queries.ts'
import type { Ref } from '../../common/ids.ts'

export function hashSessionKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/**
 * The caller's own session, by its key or by the display id of its objective. The key alone opens nothing: a session
 * of somebody else is not found.
 */
export async function requireSession(
  db: Queryable,
  actor: Actor,
  key: string,
): Promise<AgentSessionRow> {
  const own = db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
  if (isObjectiveDisplayId(key)) {
    const { objective } = await requireObjective(db, actor.workspaceId, key)
    const found = await own
      .where('objective_id', '=', objective.id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (found) return found
    throw notFound('session', `of ${key}`)
  }
  const found = await own.where('session_key_hash', '=', hashSessionKey(key)).executeTakeFirst()
  // the key is a secret: the answer does not repeat it
  if (!found) throw notFound('session', 'with this key')
  return found
}

/** Those that have not ended: at most one lives, an index keeps it one; the others were lost. */
export function selectUnendedSessions(db: Queryable, objective: Ref) {
  return db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
    .where(where.unendedSession())
}

/** The newest that the caller opened on this objective. */
export function findOwnSession(
  db: Queryable,
  actor: Actor,
  objective: Pick<ObjectiveRow, 'id'>,
): Promise<AgentSessionRow | undefined> {
  return db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('objective_id', '=', objective.id)
    .where('user_id', '=', actor.userId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
