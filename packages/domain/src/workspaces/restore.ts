import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { WorkspaceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { requireWhole } from '../access/require-whole.ts'
import { recordAudit, recordAuditOfServer } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { channels } from '../jobs/wake-hub.ts'
import type { UseCase } from '../use-case.ts'
import { lockWorkspace } from './delete.ts'
import { viewWorkspace } from './settings.ts'

/** By an owner, whose token is good for this alone while it is deleted. */
export async function restoreWorkspace(
  context: UseCase,
  actor: Actor,
  _input: RouteInput<'restoreWorkspace'>,
): Promise<RouteOutput<'restoreWorkspace'>> {
  authorize(actor, 'workspace:delete')
  requireWhole(actor, 'A workspace is restored')
  return inTransaction(context, async (tx) => {
    const before = await lockWorkspace(tx, actor.workspaceId)
    if (before.deleted_at === null) return { workspace: viewWorkspace(before) }
    const restored = await putBack(tx, before)
    recordAudit(tx, context, actor, auditOf(restored))
    return { workspace: viewWorkspace(restored) }
  })
}

/** On the server, by whoever owns the database: where no owner has a token any more. */
export function restoreWorkspaceOnServer(
  domain: Domain,
  { slug }: { slug: string },
): Promise<{ isRestored: boolean }> {
  return inTransaction({ domain }, async (tx) => {
    const found = await tx
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirst()
    if (!found) {
      throw new ServiceError(
        'not_found',
        `There is no workspace ${slug}, or it has gone for good. Give the short name of one that is there.`,
      )
    }
    const before = await lockWorkspace(tx, found.id)
    if (before.deleted_at === null) return { isRestored: false }
    recordAuditOfServer(tx, found.id, auditOf(await putBack(tx, before)))
    return { isRestored: true }
  })
}

/** What was made invalid by nothing but the missing memberships is good again. */
async function putBack(tx: UnitOfWork, { id, slug }: WorkspaceRow): Promise<WorkspaceRow> {
  const { rows } = await sql<WorkspaceRow>`
    update workspaces set deleted_at = null, deleted_by = null, revision = revision + 1
     where id = ${id} and deleted_at > app.now() - make_interval(days => ${limits.restorableDays})
    returning *`.execute(tx)
  const [restored] = rows
  if (!restored) throw isTooLate(slug)
  const { rows: members } = await sql<{ user_id: string }>`
    with held as (delete from held_memberships where workspace_id = ${id} returning *)
    insert into memberships (workspace_id, user_id, role, created_at)
    select workspace_id, user_id, role, created_at from held returning user_id`.execute(tx)
  for (const { user_id } of members) wakeAfterCommit(tx, channels.access, user_id)
  recordChange(tx, { workspace: { ...restored, workspace_id: id } }, 'restore')
  return restored
}

function auditOf({ id, slug, name }: WorkspaceRow) {
  return { action: 'workspace.restored', targetId: id, details: { slug, name } } as const
}

function isTooLate(slug: string): ServiceError {
  return new ServiceError(
    'not_found',
    `The workspace ${slug} was deleted more than ${limits.restorableDays} days ago and is going for good. Make a new one, or have a backup restored.`,
  )
}
