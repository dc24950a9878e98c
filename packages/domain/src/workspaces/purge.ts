import type { Tables } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { newId } from '../common/ids.ts'
import type { Domain } from '../domain.ts'
import { restorableSince } from '../common/restorable.ts'

/** Every table of a workspace but its audit trail; what refers to another stands before it. */
export const ofWorkspace = [
  'entity_changes',
  'idempotency_keys',
  'usage_weeks',
  'notifications',
  'inbox_items',
  'invitations',
  'mission_words',
  'questions',
  'run_queue_entries',
  'attachments',
  'run_log_chunks',
  'run_log_ends',
  'run_log_sums',
  'run_logs',
  'run_diffs',
  'run_files',
  'ledger_batches',
  'changed_files',
  'change_rationales',
  'artifacts',
  'deliveries',
  'agent_sessions',
  'execution_requests',
  'shared_state',
  'mission_branches',
  'reserved_branches',
  'mission_events',
  'objectives',
  'missions',
  'run_queues',
  'runner_resources',
  'runners',
  'webhook_attempts',
  'webhook_bodies',
  'webhook_events',
  'webhook_deliveries',
  'webhook_subscriptions',
  'project_resources',
  'project_statuses',
  'projects',
  'user_token_scopes',
  'user_tokens',
] as const satisfies (keyof Tables)[]

/** What refers to another row of its own table goes before that. */
const withinItself: Partial<Record<keyof Tables, RawBuilder<unknown>>> = {
  execution_requests: sql`
    not exists (select from execution_requests c where c.workspace_id = t.workspace_id and c.resume_of = t.id)`,
  user_tokens: sql`
    not exists (select from user_tokens c where c.workspace_id = t.workspace_id and c.parent_id = t.id)`,
}

const batch = 1_000
/** How many batches a pass takes away at most, so that a process that stops need not wait for all. */
const batchesOfPass = 200

/**
 * Takes away for good what was deleted and can be restored no more, a batch in a transaction, so that each process may die
 * anywhere and another goes on. Answers how many batches there were: while there are any, there may be more.
 */
export async function purgeWorkspaces(domain: Domain, most = batchesOfPass): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces where ${isGone} order by deleted_at limit 10`.execute(domain.db)
  let batches = 0
  for (const { id } of rows) {
    while (batches < most && (await purgeBatch(domain, id))) batches += 1
  }
  return batches
}

const isGone = sql`deleted_at < ${restorableSince}`

/** False once nothing of it is left but its line. */
function purgeBatch(domain: Domain, id: string): Promise<boolean> {
  return inTransaction({ domain }, async (tx) => {
    // whoever else is at it waits, and finds less
    const { rows: held } = await sql`
      select from workspaces where id = ${id} and ${isGone} for no key update`.execute(tx)
    if (held.length === 0) return false
    for (const table of ofWorkspace) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} t
           where workspace_id = ${id} and ${withinItself[table] ?? sql`true`} limit ${batch}))`.execute(
        tx,
      )
      if (numAffectedRows > 0n) return true
    }
    if (await pruneTrail(tx, id)) return true
    await leaveOneLine(tx, id)
    return true
  })
}

/** By the function that alone may: for a workspace that is gone it takes away all, and leaves no entry. */
async function pruneTrail(tx: UnitOfWork, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from audit_trail where workspace_id = ${id} limit 1`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    insert into audit_trail (workspace_id, id, action, target_id, details)
    values (${id}, ${newId()}, 'audit.pruned', ${id}, '{}')`.execute(tx)
  return true
}

async function leaveOneLine(tx: UnitOfWork, id: string): Promise<void> {
  await sql`
    insert into removed_workspaces (id, slug, name, deleted_by, deleted_at)
    select id, slug, name, deleted_by, deleted_at from workspaces where id = ${id}`.execute(tx)
  // links and requests that were made there, which have ended long ago
  await sql`delete from reset_links where made_in = ${id}`.execute(tx)
  await sql`delete from login_requests where approved_in = ${id}`.execute(tx)
  await sql`delete from oauth_requests where approved_in = ${id}`.execute(tx)
  await sql`delete from memberships where workspace_id = ${id}`.execute(tx)
  await sql`delete from held_memberships where workspace_id = ${id}`.execute(tx)
  await sql`delete from workspaces where id = ${id}`.execute(tx)
}
