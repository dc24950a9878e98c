import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { WorkspaceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { requireWhole } from '../access/require-whole.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { channels } from '../jobs/wake-hub.ts'
import { lockMembersFor } from '../members/lock-members.ts'
import type { UseCase } from '../use-case.ts'
import { viewWorkspace } from './settings.ts'
import { restorableUntil } from '../common/restorable.ts'

/**
 * Takes every membership away, by which all that lets anybody in is dead in the same moment. The sweep cancels the runs, and
 * what is due to webhooks is held. Sent again, it answers the same.
 */
export async function deleteWorkspace(
  context: UseCase,
  actor: Actor,
  { name }: RouteInput<'deleteWorkspace'>,
): Promise<RouteOutput<'deleteWorkspace'>> {
  authorize(actor, 'workspace:delete')
  requireWhole(actor, 'A workspace is deleted')
  return inTransaction(context, async (tx) => {
    const before = await lockWorkspace(tx, actor.workspaceId)
    if (before.name !== name) throw otherName(before)
    if (before.deleted_at !== null) return answer(before, before.deleted_at)
    const now = await lockMembersFor(tx, actor, 'workspace:delete')
    const { rows } = await sql<WorkspaceRow & { deleted_at: Date }>`
      update workspaces
         set deleted_at = app.now(), deleted_by = ${actor.userId}, revision = revision + 1
       where id = ${before.id} returning *`.execute(tx)
    const [deleted] = rows
    if (!deleted) throw new Error('the workspace is locked')
    await holdMemberships(tx, deleted.id)
    await sql`delete from invitations where workspace_id = ${deleted.id}`.execute(tx)
    const done = answer(deleted, deleted.deleted_at)
    const { slug, name: called } = deleted
    const details = { slug, name: called, restorableUntil: done.restorableUntil }
    const facts = { action: 'workspace.deleted', targetId: deleted.id, details } as const
    recordAudit(tx, context, now, facts)
    recordChange(tx, { workspace: { ...deleted, workspace_id: deleted.id } }, 'delete')
    return done
  })
}

/** Whoever changes its members waits, and finds what it has become. */
export function lockWorkspace(tx: Tx, id: string): Promise<WorkspaceRow> {
  return tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

async function holdMemberships(tx: UnitOfWork, workspaceId: string): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    with ended as (
      delete from memberships where workspace_id = ${workspaceId} returning *)
    insert into held_memberships (workspace_id, user_id, role, created_at)
    select workspace_id, user_id, role, created_at from ended returning user_id`.execute(tx)
  for (const { user_id } of rows) wakeAfterCommit(tx, channels.access, user_id)
}

function answer(row: WorkspaceRow, deletedAt: Date): RouteOutput<'deleteWorkspace'> {
  return { workspace: viewWorkspace(row), restorableUntil: restorableUntil(deletedAt) }
}

function otherName({ name, slug }: WorkspaceRow) {
  return validationFailed('name', `the workspace ${slug} is called ${name}; nothing was deleted`)
}
