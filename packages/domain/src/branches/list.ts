import { ResourceKey } from '@svc/contracts/ids'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { pageOf, readCursor } from '../common/page.ts'
import {
  type BranchRecord,
  listBranchRows,
  noObjective,
  viewBranch,
} from '../entities/branches/recorded.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import type { UseCase } from '../use-case.ts'

/** Those of the newest missions first. */
export async function listBranches(
  { domain: { db } }: UseCase,
  actor: Actor,
  { missionId: ref, branch, cursor, limit }: RouteInput<'listBranches'>,
): Promise<RouteOutput<'listBranches'>> {
  authorize(actor, 'mission:read')
  const mission = ref === undefined ? undefined : await requireMission(db, actor.workspaceId, ref)
  if (mission && ref !== undefined) authorize(actor, 'mission:read', scopeOfMission(mission, ref))
  const wanted = { missionId: mission?.id, branch, after: parseCursor(cursor), limit: limit + 1 }
  const rows = await listBranchRows(db, actor, wanted)
  const { items, nextCursor } = pageOf(rows, limit, cursorOf)
  return { branches: items.map(viewBranch), ...nextCursor }
}

function cursorOf(row: BranchRecord): string {
  return [row.mission_id, row.resource_key, row.objective_id ?? noObjective].join('/')
}

function parseCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [mission = '', key, objective = ''] = cursor.split('/')
  const resourceKey = ResourceKey.safeParse(key)
  if (!resourceKey.success)
    throw validationFailed('cursor', 'use the nextCursor of the page before')
  return [
    sql`${readCursor(mission)}::uuid`,
    sql`${resourceKey.data}`,
    sql`${readCursor(objective)}::uuid`,
  ]
}
