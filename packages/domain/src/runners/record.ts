import { ServiceError } from '@svc/contracts/errors'
import type { ClaimBody } from '@svc/contracts/runner'
import type { Tx } from '@svc/db/database'
import type { RunnerRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { recordChange } from '../commit/records.ts'
import { isConnected } from '../entities/runners/queries.ts'
import { wakeAllClaims } from './claim-hints.ts'
import { notFound } from '../common/errors.ts'
import { newId } from '../common/ids.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/**
 * Records that a runner called, with what it has now, and requires that these projects are there. The device names the
 * machine and proves nothing.
 */
export async function recordRunner(
  tx: UnitOfWork,
  actor: Actor,
  body: ClaimBody,
  { named, scope }: Claimed,
): Promise<RunnerRow> {
  const { device, runner } = body
  // the table is what was there before this statement: nothing of a runner that was not
  const { rows } = await sql<RunnerRow & Recorded>`
    with recorded as (
      insert into runners (workspace_id, id, user_id, fingerprint, label, platform, arch, instance_id,
                           version, agents, held_agents, capacity, project_ids, ephemeral, last_heard_at)
      values (${actor.workspaceId}, ${newId()}, ${actor.userId}, ${device.fingerprint},
              ${device.label}, ${device.platform}, ${device.arch}, ${runner.instanceId},
              ${runner.version}, ${JSON.stringify(body.agents)}, ${JSON.stringify(body.heldAgents ?? [])},
              ${JSON.stringify(runner.capacity)},
              nullif(${scope}::uuid[], '{}'), ${body.ephemeral ?? false}, app.now())
      on conflict (workspace_id, user_id, fingerprint) do update
         set label = excluded.label, platform = excluded.platform, arch = excluded.arch,
             instance_id = excluded.instance_id, version = excluded.version,
             agents = excluded.agents, held_agents = excluded.held_agents, capacity = excluded.capacity,
             project_ids = case when ${scope}::uuid[] = '{}' then runners.project_ids else excluded.project_ids end,
             ephemeral = excluded.ephemeral, last_heard_at = excluded.last_heard_at
      returning *
    ), ${replaceResources(body)}
    select recorded.*,
           b.agents <> recorded.agents as has_other_agents,
           (b.label, b.platform, b.arch, b.version, b.held_agents, b.project_ids) is distinct from
             (recorded.label, recorded.platform, recorded.arch, recorded.version, recorded.held_agents,
              recorded.project_ids) as is_other,
           not (${isConnected('b')}) as was_silent,
           exists (select from gone) or exists (select from kept) as has_other_resources,
           array(select p.id from projects p where p.workspace_id = ${actor.workspaceId}
                    and p.id = any(${named}::uuid[])) as found
      from recorded left join runners b
        on b.workspace_id = recorded.workspace_id and b.id = recorded.id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a runner that was recorded has a row')
  const { found, ...rest } = row
  const { has_other_agents, has_other_resources, is_other, was_silent, ...recorded } = rest
  const missing = named.find((id) => !found.includes(id))
  if (missing !== undefined) throw notFound('project', missing)
  if (recorded.removed_at) throw runnerRemoved()
  const hasOthers = has_other_agents === true || has_other_resources
  if (hasOthers) wakeAllClaims(tx)
  if (has_other_agents === null) recordChange(tx, { runner: recorded }, 'appear')
  else if (hasOthers || is_other) recordChange(tx, { runner: recorded }, 'update')
  else if (was_silent) recordChange(tx, { runner: recorded }, 'return')
  return recorded
}

interface Claimed {
  /** The projects that it asks for by name; each must be there. */
  named: readonly string[]
  /** Those that it may take from; null is every project of the workspace. Where it asks for none, it reports nothing of them. */
  scope: readonly string[] | null
}

interface Recorded {
  /** Null of one that is new. */
  has_other_agents: boolean | null
  is_other: boolean
  was_silent: boolean | null
  has_other_resources: boolean
  found: string[]
}

/** Records that it is still there. What it has was reported before, maybe by another call since. */
export async function touchRunner(tx: Tx, runner: RunnerRow): Promise<RunnerRow> {
  const row = await tx
    .updateTable('runners')
    .set({ last_heard_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', runner.workspace_id)
    .where('id', '=', runner.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.removed_at) throw runnerRemoved()
  return row
}

export function runnerRemoved(): ServiceError {
  return new ServiceError(
    'runner_removed',
    'This runner was removed from the workspace. Stop it; to use the machine again, delete its runner home and start anew.',
  )
}

/** Parts of the statement above. Written only where something differs: most claims report what was known already. */
function replaceResources(body: ClaimBody): RawBuilder<unknown> {
  const reported = JSON.stringify(
    body.resources.map((one) => ({
      project_id: one.projectId,
      resource_key: one.resourceKey,
      path: one.path,
      state: one.state,
    })),
  )
  return sql`reported as (
      select distinct on (project_id, resource_key) recorded.workspace_id, recorded.id as runner_id, t.*
        from recorded, jsonb_to_recordset(${reported}::jsonb)
             as t(project_id uuid, resource_key text, path text, state text)
    ), gone as (
      delete from runner_resources rr using recorded
       where rr.workspace_id = recorded.workspace_id and rr.runner_id = recorded.id
         and not exists (select from reported t
                          where t.project_id = rr.project_id and t.resource_key = rr.resource_key)
       returning 1
    ), kept as (
      insert into runner_resources as rr (workspace_id, runner_id, project_id, resource_key, path, state)
      select workspace_id, runner_id, project_id, resource_key, path, state from reported
      on conflict (workspace_id, runner_id, project_id, resource_key) do update
         set path = excluded.path, state = excluded.state
       where (rr.path, rr.state) is distinct from (excluded.path, excluded.state)
       returning 1)`
}
