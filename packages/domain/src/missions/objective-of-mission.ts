import type { Queryable } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { requireObjective, scopeOfObjective } from '../entities/objectives/queries.ts'

/** The id of an objective of the mission that a list of it is to be of alone. */
export async function objectiveOfMission(
  db: Queryable,
  actor: Actor,
  mission: MissionRecord,
  ref: string,
): Promise<string> {
  const found = await requireObjective(db, mission.workspace_id, ref)
  authorize(actor, 'mission:read', scopeOfObjective(found, ref))
  if (found.mission.id !== mission.id) throw notFound('objective', ref)
  return found.objective.id
}
