import type { FileChange } from '@svc/contracts/change-rationale'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { VcsStatus } from '@svc/contracts/states'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { pageOf } from '../page.ts'
import type { UseCase } from '../use-case.ts'
import { placeOf, requireMission } from './queries.ts'

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

/** What was observed, what the agent says of it, and how much the run's diff shows, joined by objective and path. */
export async function listFileChanges(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listFileChanges'>,
): Promise<RouteOutput<'listFileChanges'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', placeOf(mission, input.id))
  const [afterObjective = null, ...path] = input.cursor?.split('/') ?? []
  const { rows } = await sql<Row>`
    with files as (
      select objective_id, file_path, vcs_status from changed_files
       where workspace_id = ${actor.workspaceId} and mission_id = ${mission.id}
    ), rationales as (
      select * from change_rationales
       where workspace_id = ${actor.workspaceId} and mission_id = ${mission.id}
    ), newest as (
      select distinct on (objective_id) objective_id, diff from run_diffs
       where workspace_id = ${actor.workspaceId} and mission_id = ${mission.id}
       order by objective_id, updated_at desc
    ), sizes as (
      select n.objective_id, s.* from newest n,
             jsonb_to_recordset(n.diff -> 'stat') as s("filePath" text, additions int, deletions int)
    ), joined as (
      select coalesce(f.objective_id, s.objective_id) as objective_id,
             coalesce(f.file_path, s."filePath") as file_path, f.vcs_status, s.additions, s.deletions
        from files f full join sizes s
          on f.objective_id = s.objective_id and f.file_path = s."filePath"
    )
    select coalesce(j.objective_id, r.objective_id) as objective_id,
           coalesce(j.file_path, r.file_path) as file_path, j.vcs_status,
           r.label, r.summary, r.why, r.impact, r.hunks, j.additions, j.deletions
      from joined j full join rationales r
        on j.objective_id = r.objective_id and j.file_path = r.file_path
     where ${afterObjective}::text is null
        or (coalesce(j.objective_id, r.objective_id), coalesce(j.file_path, r.file_path))
           > (${afterObjective}::uuid, ${path.join('/')})
     order by 1, 2 limit ${input.limit + 1}`.execute(domain.db)
  const { items, nextCursor } = pageOf(
    rows,
    input.limit,
    (row) => `${row.objective_id}/${row.file_path}`,
  )
  return { fileChanges: items.map(viewFileChange), ...nextCursor }
}

function viewFileChange(row: Row): FileChange {
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
