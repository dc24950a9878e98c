import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { selectArtifacts } from '../entities/artifacts/queries.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'

/** Newest first. */
export async function listArtifacts(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listArtifacts'>,
): Promise<RouteOutput<'listArtifacts'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const { rows } = await selectArtifacts(domain.db, mission, {
    limit: input.limit,
    before: readCursor(input.cursor),
  }).execute(domain.db)
  const { items, nextCursor } = pageOfSized(rows, input.limit, (artifact) => artifact.id)
  return { artifacts: items.map(viewArtifact), ...nextCursor }
}
