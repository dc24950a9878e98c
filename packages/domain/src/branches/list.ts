import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { ResourceKey } from '@svc/contracts/ids'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { MissionBranchRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize, whereWithinReach } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { placeOf, requireMission } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import { pageOf, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'

interface Row extends MissionBranchRow {
  project_id: string
  project_slug: string
  sequence: number
  key: string | null
  base_branch: string
  label: string
}

const reach = {
  projectId: sql`m.project_id`,
  missionId: sql`b.mission_id`,
  objectiveId: sql`b.objective_id`,
}

/** Stands for the mission itself among its objectives. */
const noObjective = '00000000-0000-0000-0000-000000000000'

/** Those of the newest missions first. */
export async function listBranches(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listBranches'>,
): Promise<RouteOutput<'listBranches'>> {
  authorize(actor, 'mission:read')
  const { db } = domain
  const { workspaceId } = actor
  const conditions = [sql`b.workspace_id = ${workspaceId}`, whereWithinReach(actor, reach)]
  if (input.missionId !== undefined) {
    const mission = await requireMission(db, workspaceId, input.missionId)
    authorize(actor, 'mission:read', placeOf(mission, input.missionId))
    conditions.push(sql`b.mission_id = ${mission.id}`)
  }
  if (input.branch !== undefined) conditions.push(sql`b.branch = ${input.branch}`)
  const owner = sql`coalesce(b.objective_id, ${noObjective}::uuid)`
  const after = readPlace(input.cursor)
  if (after !== undefined)
    conditions.push(sql`(b.mission_id, b.resource_key, ${owner}) < (${sql.join(after)})`)
  const { rows } = await sql<Row>`
    select b.*, m.project_id, m.sequence, p.slug as project_slug, o.key, r.label,
           coalesce(pr.default_branch, p.default_branch) as base_branch
      from mission_branches b
      join missions m on m.workspace_id = b.workspace_id and m.id = b.mission_id
       and m.deleted_at is null
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
      join runners r on r.workspace_id = b.workspace_id and r.id = b.runner_id
      left join project_resources pr on pr.workspace_id = m.workspace_id
       and pr.project_id = m.project_id and pr.resource_key = b.resource_key
      left join objectives o on o.workspace_id = b.workspace_id and o.id = b.objective_id
       and o.deleted_at is null
     where ${sql.join(conditions, sql` and `)}
     order by b.mission_id desc, b.resource_key desc, ${owner} desc limit ${input.limit + 1}`.execute(
    db,
  )
  const { items, nextCursor } = pageOf(rows, input.limit, cursorOf)
  return { branches: items.map(view), ...nextCursor }
}

function cursorOf(row: Row): string {
  return [row.mission_id, row.resource_key, row.objective_id ?? noObjective].join('/')
}

function readPlace(cursor: string | undefined) {
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

function view(row: Row): MissionBranch {
  return {
    missionId: row.mission_id,
    mission: displayIdOfMission(row),
    objectiveId: row.objective_id,
    objective: row.key === null ? null : `${displayIdOfMission(row)}.${row.key}`,
    projectId: row.project_id,
    resourceKey: row.resource_key,
    branch: row.branch,
    baseBranch: row.base_branch,
    startSha: row.start_sha,
    lastSha: row.last_sha,
    runnerId: row.runner_id,
    runnerLabel: row.label,
    updatedAt: row.updated_at.toISOString(),
  }
}
