import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import { selectMissionEvents } from '../entities/missions/events.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { viewMissionEvent } from '../entities/missions/views.ts'
import type { UseCase } from '../use-case.ts'

/** Newest first. */
export async function listMissionEvents(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listMissionEvents'>,
): Promise<RouteOutput<'listMissionEvents'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const { rows } = await selectMissionEvents(domain.db, mission, {
    limit: input.limit,
    before: readCursor(input.cursor),
  }).execute(domain.db)
  const { items, nextCursor } = pageOfSized(rows, input.limit, (event) => event.id)
  return { events: items.map(viewMissionEvent), ...nextCursor }
}
