import { Role } from '@svc/contracts/permissions'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { channels } from '../jobs/wake-hub.ts'
import type { UseCase } from '../use-case.ts'
import {
  lockMembersFor,
  requireOtherOwner,
  requireOwnerFor,
  requireWithinToken,
} from './lock-members.ts'
import { requireMember } from './queries.ts'
import { wakeAfterCommit } from '../commit/unit-of-work.ts'

/** Good for every request that starts after this commits, whatever the token. */
export function updateMember(
  context: UseCase,
  actor: Actor,
  { id, role }: RouteInput<'updateMember'>,
): Promise<RouteOutput<'updateMember'>> {
  return inTransaction(context, async (tx) => {
    const { workspaceId } = actor
    const now = await lockMembersFor(tx, actor, 'member:update')
    const member = await requireMember(tx, workspaceId, id)
    requireOwnerFor(now, [member.role, role])
    if (member.role === role) return { member }
    if (isMore(role, member.role)) requireWithinToken(now, role)
    if (member.role === 'owner') await requireOtherOwner(tx, { workspaceId, userId: id })
    await tx
      .updateTable('memberships')
      .set({ role })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', id)
      .execute()
    recordAudit(tx, context, now, {
      action: 'member.role_changed',
      targetId: id,
      details: { name: member.name, from: member.role, to: role },
    })
    recordChange(tx, { member: { workspace_id: workspaceId, id, role } }, 'role', { role })
    wakeAfterCommit(tx, channels.access, id)
    return { member: { ...member, role } }
  })
}

function isMore(role: Role, than: Role): boolean {
  return Role.options.indexOf(role) < Role.options.indexOf(than)
}
