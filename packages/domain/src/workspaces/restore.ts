import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { WorkspaceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { requireWhole } from '../access/require-whole.ts'
import { recordAudit, recordAuditOfPersonIn, recordAuditOfServer } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import type { Person } from '../entities/people/person.ts'
import {
  deletedWorkspacesOf,
  restorableUntil,
  workspacesOf,
} from '../entities/workspaces/queries.ts'
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

/** At their account, by an owner: whoever was signed in to it is at work in no deleted workspace. */
export function restoreWorkspaceOfPerson(
  context: UseCase,
  { userId }: Person,
  { id }: { id: string },
): Promise<void> {
  return inTransaction(context, async (tx) => {
    const owned = await deletedWorkspacesOf(tx, userId)
      .where('w.id', '=', id)
      .forNoKeyUpdate(['w', 'h'])
      .executeTakeFirst()
    // sent again it is restored already
    if (!owned) return refuseIfNotOwner(tx, userId, id)
    const restored = await putBack(tx, owned)
    recordAuditOfPersonIn(tx, context, { workspaceId: id, userId }, auditOf(restored))
  })
}

async function refuseIfNotOwner(tx: Tx, userId: string, id: string): Promise<void> {
  const own = await workspacesOf(tx, userId).where('w.id', '=', id).executeTakeFirst()
  if (own?.role === 'owner') return
  throw new ServiceError(
    'not_found',
    'There is no such workspace of yours to restore, or it has gone for good. Choose one at your account.',
  )
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
async function putBack(
  tx: UnitOfWork,
  { id, slug }: Pick<WorkspaceRow, 'id' | 'slug'>,
): Promise<WorkspaceRow> {
  const { rows } = await sql<WorkspaceRow>`
    update workspaces as w set deleted_at = null, deleted_by = null, revision = revision + 1
     where id = ${id} and ${restorableUntil} > app.now()
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
