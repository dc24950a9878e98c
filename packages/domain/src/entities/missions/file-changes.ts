import type { FileChange } from '@svc/contracts/change-rationale'
import type { VcsStatus } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Sized, withinBytes } from '../../common/page.ts'
import type { MissionRecord } from './queries.ts'

interface Row {
  objective_id: string
  file_path: string
  vcs_status: z.infer<typeof VcsStatus> | null
  label: string | null
  summary: string
  why: string
  impact: string
  hunks: { header: string }[] | null
  additions: number | null
  deletions: number | null
}

/** The first changed files of each of these objectives. */
export async function listFirstFileChanges(
  db: Queryable,
  mission: MissionRecord,
  objectiveIds: readonly string[],
  perObjective: number,
): Promise<FileChange[]> {
  if (objectiveIds.length === 0) return []
  const page = { after: null, limit: objectiveIds.length * perObjective }
  const rows = await readFileChanges(db, mission, { ...page, objectiveIds, perObjective })
  return rows.map(viewFileChange)
}

interface Wanted {
  after: { objectiveId: string; path: string } | null
  limit: number
  objectiveIds?: readonly string[] | undefined
  perObjective?: number
  /** Those that the report of the newest run has are left out. */
  besidesReport?: boolean
}

/** What was observed, what the agent says of it, and how much the run's diff shows, joined by objective and path. */
export async function readFileChanges(
  db: Queryable,
  { workspace_id, id }: MissionRecord,
  { after, limit, objectiveIds, perObjective, besidesReport = false }: Wanted,
): Promise<Sized<Row>[]> {
  // for each table by itself: no condition on what is joined in full reaches them
  const wanted = sql.join(
    [
      sql`workspace_id = ${workspace_id} and mission_id = ${id}`,
      ...(after === null ? [] : [sql`objective_id >= ${after.objectiveId}::uuid`]),
      ...(objectiveIds === undefined ? [] : [sql`objective_id = any(${objectiveIds}::uuid[])`]),
    ],
    sql` and `,
  )
  const query = sql<Row>`
    with files as (
      select objective_id, file_path, vcs_status from changed_files where ${wanted}
    ), rationales as (
      select * from change_rationales where ${wanted}
    ), newest as (
      select distinct on (d.objective_id) d.objective_id, d.execution_request_id, d.report
        from (select * from run_diffs where ${wanted}) d
       cross join lateral (
         select seq from execution_requests
          where workspace_id = d.workspace_id and id = d.execution_request_id limit 1) e
       order by d.objective_id, e.seq desc
    ), sizes as (
      select n.objective_id, r.file_path, r.additions, r.deletions
        from newest n
        join run_files r
          on r.workspace_id = ${workspace_id} and r.execution_request_id = n.execution_request_id
             and r.report = n.report
    ), joined as (
      select coalesce(f.objective_id, s.objective_id) as objective_id,
             coalesce(f.file_path, s.file_path) as file_path, f.vcs_status, s.additions, s.deletions,
             s.file_path is not null as is_reported
        from files f full join sizes s
          on f.objective_id = s.objective_id and f.file_path = s.file_path
    ), changes as (
      select coalesce(j.objective_id, r.objective_id) as objective_id,
             coalesce(j.file_path, r.file_path) as file_path, j.vcs_status,
             r.label, r.summary, r.why, r.impact, r.hunks, j.additions, j.deletions,
             coalesce(j.is_reported, false) as is_reported
        from joined j full join rationales r
          on j.objective_id = r.objective_id and j.file_path = r.file_path
    ), counted as (
      select *, row_number() over (partition by objective_id order by file_path) as nth from changes
    )
    select * from counted
     where (${after?.objectiveId ?? null}::uuid is null
            or (objective_id, file_path) > (${after?.objectiveId ?? null}::uuid, ${after?.path ?? ''}))
       and (${perObjective ?? null}::int is null or nth <= ${perObjective ?? null}::int)
       and not (${besidesReport} and is_reported)
     order by objective_id, file_path limit ${limit}`
  const { rows } = await withinBytes({
    rows: query,
    bytes: sql`coalesce(octet_length(summary) + octet_length(why) + octet_length(impact), 0)
      + coalesce(octet_length(hunks::text), 0)`,
    order: sql`objective_id, file_path`,
  }).execute(db)
  return rows
}

export function viewFileChange(row: Row): FileChange {
  return {
    objectiveId: row.objective_id,
    filePath: row.file_path,
    vcsStatus: row.vcs_status,
    rationale:
      row.label === null
        ? null
        : {
            label: row.label,
            summary: row.summary,
            why: row.why,
            impact: row.impact,
            ...(row.hunks && { hunks: row.hunks }),
          },
    additions: row.additions,
    deletions: row.deletions,
  }
}
