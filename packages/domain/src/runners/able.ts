import { type RawBuilder, sql } from 'kysely'

/** What a run needs of a runner, as values or as columns of a statement around. */
interface Needs {
  workspaceId: RawBuilder<unknown>
  projectId: RawBuilder<unknown>
  agent: RawBuilder<unknown>
  /** Null or empty: none. */
  resourceKey: RawBuilder<unknown>
  /** Null stands for whichever machine. */
  device: RawBuilder<unknown>
}

/** Those that have what the run needs and were heard of within so many seconds, whether or not they have room for it. */
export function ableRunners(needs: Needs, withinSeconds: number): RawBuilder<{ id: string }> {
  const { workspaceId, projectId, agent, resourceKey, device } = needs
  return sql<{ id: string }>`
    select r.id from runners r
     where r.workspace_id = ${workspaceId} and r.removed_at is null
       and r.last_heard_at > app.now() - make_interval(secs => ${withinSeconds})
       and (${device}::text is null or r.fingerprint = ${device}::text)
       and r.agents @> jsonb_build_array(jsonb_build_object('key', ${agent}::text))
       and (coalesce(${resourceKey}::text, '') = '' or exists (
         select from runner_resources h
          where h.workspace_id = r.workspace_id and h.runner_id = r.id and h.state = 'usable'
            and h.project_id = ${projectId} and h.resource_key = ${resourceKey}::text))`
}
