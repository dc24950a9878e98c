import type { MissionBranch } from '@svc/contracts/assigned-branches'
import type { Queryable } from '@svc/db/database'
import type { MissionBranchRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { whereVisibleTo } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { lookUp } from '../../common/look-up.ts'
import { displayIdOfMission } from '../missions/views.ts'

export interface BranchRecord extends MissionBranchRow {
  project_id: string
  project_slug: string
  sequence: number
  key: string | null
  base_branch: string
  label: string
}

const accessColumns = {
  projectId: sql`m.project_id`,
  missionId: sql`b.mission_id`,
  objectiveId: sql`b.objective_id`,
}

/** Stands for the mission itself among its objectives. */
export const noObjective = '00000000-0000-0000-0000-000000000000'

interface Wanted {
  missionId?: string | undefined
  branch?: string | undefined
  /** The keys of the row that the page goes on from. */
  after?: RawBuilder<unknown>[] | undefined
  limit: number
}

const isThere = sql`t.deleted_at is null`

/** Those of the newest missions first. */
export async function listBranchRows(
  db: Queryable,
  actor: Actor,
  { missionId, branch, after, limit }: Wanted,
): Promise<BranchRecord[]> {
  const conditions = [
    sql`b.workspace_id = ${actor.workspaceId}`,
    whereVisibleTo(actor, accessColumns),
  ]
  if (missionId !== undefined) conditions.push(sql`b.mission_id = ${missionId}`)
  if (branch !== undefined) conditions.push(sql`b.branch = ${branch}`)
  const owner = sql`coalesce(b.objective_id, ${noObjective}::uuid)`
  if (after !== undefined)
    conditions.push(sql`(b.mission_id, b.resource_key, ${owner}) < (${sql.join(after)})`)
  const { rows } = await sql<BranchRecord>`
    select b.*, m.project_id, m.sequence, p.slug as project_slug, o.key, r.label,
           coalesce(pr.default_branch, p.default_branch) as base_branch
      from mission_branches b
     cross join ${lookUp('missions', 'm', { of: 'b', id: 'mission_id', where: isThere })}
     cross join ${lookUp('projects', 'p', { of: 'm', id: 'project_id' })}
     cross join ${lookUp('runners', 'r', { of: 'b', id: 'runner_id' })}
      left join project_resources pr on pr.workspace_id = m.workspace_id
       and pr.project_id = m.project_id and pr.resource_key = b.resource_key
      left join ${lookUp('objectives', 'o', { of: 'b', id: 'objective_id', where: isThere })} on true
     where ${sql.join(conditions, sql` and `)}
     order by b.mission_id desc, b.resource_key desc, ${owner} desc limit ${limit}`.execute(db)
  return rows
}

export function viewBranch(row: BranchRecord): MissionBranch {
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
