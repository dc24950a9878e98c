import type { RouteInput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import { requireAttachment } from '../entities/attachments/queries.ts'
import { recordAttachmentChange } from './record-change.ts'

/** What a run has fetched already stays with it. */
export async function deleteAttachment(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'deleteAttachment'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const found = await requireAttachment(tx, actor.workspaceId, id)
    const missing = () => notFound('attachment', id)
    authorize(actor, 'objective:update', { ...scopeOfObjective(found, id), missing })
    const deleted = await tx
      .deleteFrom('attachments')
      .where('workspace_id', '=', actor.workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw missing()
    const { name, size, sha256 } = found.attachment
    recordAttachmentChange(tx, found, { attachmentId: id, name, deleted: true })
    recordAudit(tx, context, actor, {
      action: 'attachment.deleted',
      targetId: id,
      projectId: found.mission.project_id,
      details: { name, size, sha256, objectiveId: found.objective.id },
    })
    return undefined
  })
}
