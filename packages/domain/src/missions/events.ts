import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { pageOf, readCursor } from '../page.ts'
import type { UseCase } from '../use-case.ts'
import { placeOf, requireMission } from './queries.ts'
import { viewMissionEvent } from './views.ts'

/** Newest first. */
export async function listMissionEvents(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listMissionEvents'>,
): Promise<RouteOutput<'listMissionEvents'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', placeOf(mission, input.id))
  let query = domain.db
    .selectFrom('mission_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.workspace_id', '=', actor.workspaceId)
    .where('e.mission_id', '=', mission.id)
    .orderBy('e.id', 'desc')
    .limit(input.limit + 1)
  const before = readCursor(input.cursor)
  if (before) query = query.where('e.id', '<', before)
  const { items, nextCursor } = pageOf(await query.execute(), input.limit, (event) => event.id)
  return { events: items.map(viewMissionEvent), ...nextCursor }
}
