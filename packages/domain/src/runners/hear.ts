import { ServiceError } from '@svc/contracts/errors'
import type { ClaimBody } from '@svc/contracts/runner'
import type { Tx } from '@svc/db/database'
import type { RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { wakeAllClaims } from '../execution-requests/claim-hints.ts'
import { newId } from '../ids.ts'

/** Notes that a runner was heard of, with what it has now. The device names the machine and proves nothing. */
export async function hearRunner(tx: Tx, actor: Actor, body: ClaimBody): Promise<RunnerRow> {
  const { device, runner } = body
  const now = {
    label: device.label,
    platform: device.platform,
    arch: device.arch,
    instance_id: runner.instanceId,
    version: runner.version,
    agents: JSON.stringify(body.agents),
    capacity: JSON.stringify(runner.capacity),
    last_heard_at: sql<Date>`app.now()`,
  }
  const row = await tx
    .insertInto('runners')
    .values({
      ...now,
      workspace_id: actor.workspaceId,
      id: newId(),
      user_id: actor.userId,
      fingerprint: device.fingerprint,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'user_id', 'fingerprint']).doUpdateSet(now),
    )
    .returningAll()
    // a subquery reads what was there before this statement; null for a runner that was not
    .returning(
      sql<boolean | null>`(select b.agents <> runners.agents from runners b
        where b.workspace_id = runners.workspace_id and b.id = runners.id)`.as('has_other_agents'),
    )
    .executeTakeFirstOrThrow()
  if (row.removed_at) throw runnerRemoved()
  const hasOtherResources = await replaceResources(tx, row, body)
  if (row.has_other_agents || hasOtherResources) wakeAllClaims(tx)
  return row
}

/** Notes that it is still there. What it has was told before, maybe by another call since. */
export async function hearAgain(tx: Tx, runner: RunnerRow): Promise<RunnerRow> {
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

/** Written only where something differs: most claims tell what was known already. Answers whether it did. */
async function replaceResources(tx: Tx, runner: RunnerRow, body: ClaimBody): Promise<boolean> {
  const told = JSON.stringify(
    body.resources.map((one) => ({
      project_id: one.projectId,
      resource_key: one.resourceKey,
      path: one.path,
      state: one.state,
    })),
  )
  const { rows } = await sql<{ differs: boolean }>`
    with told as (
      select distinct on (project_id, resource_key) t.*
        from jsonb_to_recordset(${told}::jsonb)
             as t(project_id uuid, resource_key text, path text, state text)
    ), gone as (
      delete from runner_resources rr
       where rr.workspace_id = ${runner.workspace_id} and rr.runner_id = ${runner.id}
         and not exists (select from told t
                          where t.project_id = rr.project_id and t.resource_key = rr.resource_key)
       returning 1
    ), kept as (
      insert into runner_resources as rr (workspace_id, runner_id, project_id, resource_key, path, state)
      select ${runner.workspace_id}, ${runner.id}, project_id, resource_key, path, state from told
      on conflict (workspace_id, runner_id, project_id, resource_key) do update
         set path = excluded.path, state = excluded.state
       where (rr.path, rr.state) is distinct from (excluded.path, excluded.state)
       returning 1)
    select exists (select from gone) or exists (select from kept) as differs`.execute(tx)
  return rows[0]?.differs ?? false
}
