import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { listDeliveryViews } from '../entities/deliveries/queries.ts'

/** Newest first. */
export async function listDeliveries(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listDeliveries'>,
): Promise<RouteOutput<'listDeliveries'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const { items, nextCursor } = await listDeliveryViews(domain.db, mission, {
    limit: input.limit,
    before: readCursor(input.cursor),
  })
  return { deliveries: items, ...nextCursor }
}
