import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import { readFileChanges, viewFileChange } from '../entities/missions/file-changes.ts'
import { requireMission, scopeOfMission } from '../entities/missions/queries.ts'
import type { UseCase } from '../use-case.ts'
import { objectiveOfMission } from './objective-of-mission.ts'

/** By objective, and of each by path. */
export async function listFileChanges(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listFileChanges'>,
): Promise<RouteOutput<'listFileChanges'>> {
  const mission = await requireMission(db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const only =
    input.objectiveId === undefined
      ? undefined
      : [await objectiveOfMission(db, actor, mission, input.objectiveId)]
  const [objectiveId, ...path] = input.cursor?.split('/') ?? []
  const after = readCursor(objectiveId)
  const rows = await readFileChanges(db, mission, {
    after: after === undefined ? null : { objectiveId: after, path: path.join('/') },
    limit: input.limit + 1,
    objectiveIds: only,
    besidesReport: input.besides === 'report',
  })
  const { items, nextCursor } = pageOfSized(
    rows,
    input.limit,
    (row) => `${row.objective_id}/${row.file_path}`,
  )
  return { fileChanges: items.map(viewFileChange), ...nextCursor }
}
