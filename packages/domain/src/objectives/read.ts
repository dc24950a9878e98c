import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import {
  scopeOfObjective,
  requireObjective,
  selectNamedObjectives,
} from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'

export async function getObjective(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getObjective'>,
): Promise<RouteOutput<'getObjective'>> {
  const { mission, objective } = await requireObjective(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfObjective({ mission, objective }, input.id))
  return { objective: viewObjective(mission, objective) }
}

/** Those of the ids that the caller may see, newest first. */
export async function listObjectives(
  { domain: { db } }: UseCase,
  actor: Actor,
  { ids, instructionCharacters, limit, cursor }: RouteInput<'listObjectives'>,
): Promise<RouteOutput<'listObjectives'>> {
  authorize(actor, 'mission:read')
  const { rows } = await selectNamedObjectives({
    workspaceId: actor.workspaceId,
    ids,
    visible: whereVisibleTo(actor, {
      projectId: sql`m.project_id`,
      missionId: sql`m.id`,
      objectiveId: sql`o.id`,
    }),
    characters: instructionCharacters,
    limit,
    before: readCursor(cursor),
  }).execute(db)
  const { items, nextCursor } = pageOfSized(rows, limit, (objective) => objective.id)
  return { objectives: items.map((row) => viewObjective(row, row)), ...nextCursor }
}
