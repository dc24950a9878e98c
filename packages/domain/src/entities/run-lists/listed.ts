import type { ExecutionRequest, ListedRun } from '@svc/contracts/execution-request'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { displayIdOfMission } from '../missions/views.ts'
import { displayIdOf } from '../objectives/views.ts'
import { type Viewer, viewRequests } from '../execution-requests/views.ts'

interface About {
  id: string
  project_slug: string
  sequence: number
  key: string
  mission_title: string
  objective_title: string
  deleted: boolean
  last_heard_at: Date | null
}

/** Runs with what a list says of their work, in the same order. Runs outlive what was deleted. */
export async function viewListed(
  db: Queryable,
  viewer: Viewer,
  runs: readonly ExecutionRequestRow[],
): Promise<ListedRun[]> {
  const [first] = runs
  if (!first) return []
  const ids = runs.map((run) => run.id)
  const [views, { rows }] = await Promise.all([
    viewRequests(db, viewer, runs),
    sql<About>`
      select e.id, p.slug as project_slug, m.sequence, o.key, m.title as mission_title,
             o.title as objective_title, coalesce(m.deleted_at, o.deleted_at) is not null as deleted,
             (select s.last_heard_at from agent_sessions s
               where s.workspace_id = e.workspace_id and s.execution_request_id = e.id
               order by s.seq desc limit 1) as last_heard_at
        from execution_requests e
       -- one by one: joined, a plan made in a young database reads the objectives of a whole workspace
       cross join lateral (
         select * from missions where workspace_id = e.workspace_id and id = e.mission_id limit 1) m
       cross join lateral (
         select * from projects where workspace_id = e.workspace_id and id = e.project_id limit 1) p
       cross join lateral (
         select * from objectives where workspace_id = e.workspace_id and id = e.objective_id limit 1) o
       where e.workspace_id = ${first.workspace_id} and e.id = any(${ids}::uuid[])`.execute(db),
  ])
  const about = new Map(rows.map((row) => [row.id, row]))
  // a foreign key keeps mission and objective as long as their runs; what was purged in between is left out
  return views.flatMap((view) => {
    const row = about.get(view.id)
    return row ? [{ ...view, ...viewAbout(row) }] : []
  })
}

function viewAbout(row: About): Omit<ListedRun, keyof ExecutionRequest> {
  return {
    mission: { displayId: displayIdOfMission(row), title: row.mission_title },
    objective: { displayId: displayIdOf(row, row), title: row.objective_title },
    deleted: row.deleted,
    lastHeardAt: row.last_heard_at?.toISOString() ?? null,
  }
}
