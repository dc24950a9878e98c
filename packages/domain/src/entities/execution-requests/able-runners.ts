import { type RawBuilder, sql } from 'kysely'
import { fits, whatItHas } from './takeable.ts'

/** What a run needs of a runner, as values or as columns of a statement around. */
interface Needs {
  workspaceId: RawBuilder<unknown>
  projectId: RawBuilder<unknown>
  agent: RawBuilder<unknown>
  /** Null or empty: none. */
  resourceKey: RawBuilder<unknown>
  /** The name that was asked for; null or empty: whatever its name. */
  onlyRunner: RawBuilder<unknown>
  /** Null stands for whichever machine. */
  device: RawBuilder<unknown>
}

/** Those that have what the run needs and were heard of within so many seconds, whether or not they have room for it, or hold its agent for now. */
export function ableRunners(needs: Needs, withinSeconds: number): RawBuilder<{ id: string }> {
  const { workspaceId, projectId, agent, resourceKey, onlyRunner, device } = needs
  return sql<{ id: string }>`
    select r.id from runners r
     cross join lateral (select r.workspace_id, r.project_ids as projects, ${whatItHas(sql`r.agents || r.held_agents`)}) c
     cross join lateral (select ${workspaceId}::uuid as workspace_id, ${projectId}::uuid as project_id,
       ${agent}::text as agent, ${resourceKey}::text as resource_key, ${onlyRunner}::text as only_runner) needed
     where r.workspace_id = ${workspaceId} and r.removed_at is null
       and r.last_heard_at > app.now() - make_interval(secs => ${withinSeconds})
       and (${device}::text is null or r.fingerprint = ${device}::text)
       and ${fits('needed')}`
}
