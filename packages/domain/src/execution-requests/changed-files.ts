import type { RouteOutput } from '@svc/contracts/rest'
import type { RunFile, RunFileGroup } from '@svc/contracts/run-files'
import type { VcsStatus } from '@svc/contracts/states'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { type Sized, withinBytes } from '../common/page.ts'
import type { Domain } from '../domain.ts'
import type { Report } from './changes-report.ts'

export interface FileRow {
  position: number
  /** In the order of the page. */
  place: number
  file_path: string
  additions: number | null
  deletions: number | null
  patch_bytes: number | null
  patch: string | null
  vcs_status: z.infer<typeof VcsStatus> | null
  label: string | null
}

interface Wanted {
  /** By `place`. */
  where: RawBuilder<unknown>
  limit: number
  withPatch: boolean
  byReason?: boolean
}

const lines = sql`coalesce(f.additions, 0) + coalesce(f.deletions, 0)`

export async function readFiles(
  { db }: Domain,
  { request, report }: Report,
  { where, limit, withPatch, byReason = false }: Wanted,
): Promise<Sized<FileRow>[]> {
  const columns = sql`f.position, f.file_path, f.additions, f.deletions, f.patch_bytes,
    ${withPatch ? sql`f.patch` : sql`null::text`} as patch, c.vcs_status, r.label`
  const files = sql`
    from run_files f ${joined(request)}
   where f.workspace_id = ${request.workspace_id} and f.execution_request_id = ${request.id}
     and f.report = ${report}`
  // the report is bounded, so it may be put in order as a whole
  const placed = byReason
    ? sql`
      select grouped.*,
             row_number() over (order by label is null, in_group desc, label, position)::int as place
        from (select ${columns}, sum(${lines}) over (partition by r.label) as in_group
                ${files}) grouped`
    : sql`select ${columns}, f.position as place ${files}`
  const { rows } = await withinBytes({
    rows: sql<FileRow>`
      select position, place, file_path, additions, deletions, patch_bytes, patch, vcs_status, label
        from (${placed}) placed
       where ${where}
       order by place limit ${limit}`,
    bytes: sql`octet_length(file_path) + coalesce(octet_length(label), 0)
      + ${withPatch ? sql`coalesce(patch_bytes, 0)` : sql`0`}`,
    order: sql`place`,
  }).execute(db)
  return rows
}

/** What was observed of a file, and what its agent said of it. */
function joined({
  workspace_id,
  mission_id,
  objective_id,
}: Report['request']): RawBuilder<unknown> {
  const same = (table: string) => sql`
        on ${sql.ref(`${table}.workspace_id`)} = ${workspace_id}
           and ${sql.ref(`${table}.mission_id`)} = ${mission_id}
           and ${sql.ref(`${table}.objective_id`)} = ${objective_id}
           and ${sql.ref(`${table}.file_path`)} = f.file_path`
  return sql`left join changed_files c ${same('c')} left join change_rationales r ${same('r')}`
}

/** In the order in which `readFiles` has them. */
export async function readGroups(
  { db }: Domain,
  { request, report }: Report,
): Promise<RunFileGroup[]> {
  const { rows } = await sql<RunFileGroup>`
    select r.label, count(*)::int as files, coalesce(sum(f.additions), 0)::float8 as additions,
           coalesce(sum(f.deletions), 0)::float8 as deletions
      from run_files f ${joined(request)}
     where f.workspace_id = ${request.workspace_id} and f.execution_request_id = ${request.id}
       and f.report = ${report}
     group by r.label
     order by r.label is null, sum(${lines}) desc, r.label`.execute(db)
  return rows
}

export async function readRationale(
  { db }: Domain,
  { request }: Report,
  { filePath }: RunFile,
): Promise<RouteOutput<'getRunFile'>['rationale']> {
  const row = await db
    .selectFrom('change_rationales')
    .select(['label', 'summary', 'why', 'impact', 'hunks'])
    .where('workspace_id', '=', request.workspace_id)
    .where('mission_id', '=', request.mission_id)
    .where('objective_id', '=', request.objective_id)
    .where('file_path', '=', filePath)
    .executeTakeFirst()
  if (row === undefined) return null
  const { hunks, ...said } = row
  return { ...said, ...(hunks && { hunks }) }
}
