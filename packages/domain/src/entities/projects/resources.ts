import type { ProjectResource } from '@svc/contracts/project'
import type { Queryable } from '@svc/db/database'
import type { ProjectResourceRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'

/**
 * Seconds since a runner was last heard of within which it counts as connected: more than two in a row of what it sends
 * when it has nothing to do. Decision 22.
 */
export const connectedSeconds = 60

interface Asking {
  workspaceId: string
  projectId: string
  /** Whose machine asks: a path is shown only to the owner of the runner on that device. */
  userId: string
  device: string | undefined
}

type ResourceRow = ProjectResourceRow & { connected: boolean; path: string | null }

export async function listResources(db: Queryable, asking: Asking): Promise<ProjectResource[]> {
  const { rows } = await selectResources(asking).execute(db)
  return rows.map(viewResource)
}

/** Every linked resource, connected or not, with the path that it has on the asking machine. */
export function selectResources(asking: Asking): RawBuilder<ResourceRow> {
  return sql<ResourceRow>`
    select pr.*,
           exists (select from runner_resources rr
                     join runners r on r.workspace_id = rr.workspace_id and r.id = rr.runner_id
                    where rr.workspace_id = pr.workspace_id and rr.project_id = pr.project_id
                      and rr.resource_key = pr.resource_key and rr.state = 'usable'
                      and r.removed_at is null
                      and (${asking.device ?? null}::text is null or r.fingerprint = ${asking.device ?? null})
                      and r.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})) as connected,
           (select rr.path from runner_resources rr
              join runners r on r.workspace_id = rr.workspace_id and r.id = rr.runner_id
             where rr.workspace_id = pr.workspace_id and rr.project_id = pr.project_id
               and rr.resource_key = pr.resource_key and rr.state = 'usable'
               and r.removed_at is null and r.user_id = ${asking.userId}
               and r.fingerprint = ${asking.device ?? null}
             limit 1) as path
      from project_resources pr
     where pr.workspace_id = ${asking.workspaceId} and pr.project_id = ${asking.projectId}
     order by pr.is_primary desc, pr.resource_key`
}

export function viewResource(row: ResourceRow): ProjectResource {
  return {
    resourceKey: row.resource_key,
    permission: row.permission,
    primary: row.is_primary,
    state: row.connected ? 'connected' : 'unavailable',
    path: row.path,
    ...(row.default_branch !== null && { defaultBranch: row.default_branch }),
    ...(row.clone_url !== null && { cloneUrl: row.clone_url }),
  }
}
