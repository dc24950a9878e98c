import type { RouteInput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'

export function revokeInvitation(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'revokeInvitation'>,
): Promise<undefined> {
  authorize(actor, 'member:invite')
  return inTransaction(context, async (tx) => {
    const revoked = await tx
      .deleteFrom('invitations')
      .where('workspace_id', '=', actor.workspaceId)
      .where('id', '=', id)
      .returning(['email', 'role'])
      .executeTakeFirst()
    if (!revoked) throw notFound('invitation', id)
    const details = { name: revoked.email, role: revoked.role }
    recordAudit(tx, context, actor, { action: 'member.invitation_revoked', targetId: id, details })
    const { email } = revoked
    recordChange(tx, { invitation: { workspace_id: actor.workspaceId, id, email } }, 'revoke')
    return undefined
  })
}
