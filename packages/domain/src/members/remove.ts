import type { RouteInput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { requireWhole } from '../access/require-whole.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { slugOfWorkspace } from '../entities/workspaces/queries.ts'
import { channels } from '../jobs/wake-hub.ts'
import { validationFailed } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'
import { revokeTokensOf } from '../user-tokens/revoke.ts'
import { lockMembers, lockMembersFor, requireOtherOwner, requireOwnerFor } from './lock-members.ts'
import { requireMember } from './queries.ts'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'

export function removeMember(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'removeMember'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const now = await lockMembersFor(tx, actor, 'member:remove')
    const { role, name } = await requireMember(tx, actor.workspaceId, id)
    requireOwnerFor(now, [role])
    const revoked = await endMembership(tx, { ...actor, userId: id }, 'remove')
    const details = { name, role, revoked }
    recordAudit(tx, context, now, { action: 'member.removed', targetId: id, details })
    return undefined
  })
}

export function leaveWorkspace(
  context: UseCase,
  actor: Actor,
  { workspace }: RouteInput<'leaveWorkspace'>,
): Promise<undefined> {
  requireWhole(actor, 'A workspace is left')
  return inTransaction(context, async (tx) => {
    const { workspaceId, userId } = actor
    await requireSlug(tx, workspaceId, workspace)
    await lockMembers(tx, workspaceId)
    const { role, name } = await requireMember(tx, workspaceId, userId)
    const revoked = await endMembership(tx, actor, 'leave')
    const details = { name, role, revoked }
    recordAudit(tx, context, actor, { action: 'member.left', targetId: userId, details })
    return undefined
  })
}

async function requireSlug(tx: UnitOfWork, workspaceId: string, slug: string): Promise<void> {
  const own = await slugOfWorkspace(tx, workspaceId)
  if (own === slug) return
  throw validationFailed('workspace', `this call is of ${own}; nothing was left`)
}

/**
 * While the members are held. Minting shares a lock on the membership: what was begun before is committed by the time
 * it is gone, and revoked with the rest. Answers which tokens that were.
 */
async function endMembership(
  tx: UnitOfWork,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  how: 'remove' | 'leave',
): Promise<string[]> {
  const ended = await tx
    .deleteFrom('memberships')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .returning('role')
    .executeTakeFirst()
  if (ended?.role === 'owner') await requireOtherOwner(tx, { workspaceId, userId })
  // neither those that they made, nor one for them that would let them in again
  const { rows: invitations } = await sql<{ id: string; email: string }>`
    delete from invitations
     where workspace_id = ${workspaceId}
       and (invited_by = ${userId}
            or lower(email) = (select lower(email) from users where id = ${userId}))
    returning id, email`.execute(tx)
  for (const one of invitations) {
    recordChange(tx, { invitation: { ...one, workspace_id: workspaceId } }, 'revoke')
  }
  if (ended) {
    recordChange(tx, { member: { ...ended, workspace_id: workspaceId, id: userId } }, how)
  }
  wakeAfterCommit(tx, channels.access, userId)
  return revokeTokensOf(tx, workspaceId, userId)
}
