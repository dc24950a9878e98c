import type { Attachment } from '@svc/contracts/context'
import { isServiceError } from '@svc/contracts/errors'
import type { Queryable } from '@svc/db/database'
import type { AttachmentRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { notFound } from '../../common/errors.ts'
import { type ObjectiveInMission, requireObjective } from '../objectives/queries.ts'

/** All but the bytes. */
const described = ['id', 'objective_id', 'name', 'media_type', 'size', 'sha256'] as const
type Described = Pick<AttachmentRow, (typeof described)[number]>

/** In the order in which they came; how many an objective has is bounded. Of no objective there are none. */
export function selectAttachments(db: Queryable, workspaceId: string, objectiveId: string | null) {
  return db
    .selectFrom('attachments')
    .select(described)
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`objective_id = ${objectiveId}::uuid`)
    .orderBy('id')
}

/** With the objective that it belongs to, by which is judged who may see it. */
export async function requireAttachment(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ObjectiveInMission & { attachment: Described }> {
  const attachment = await db
    .selectFrom('attachments')
    .select(described)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!attachment) throw notFound('attachment', id)
  const found = await requireObjective(db, workspaceId, attachment.objective_id).catch(
    (error: unknown) => {
      throw isServiceError(error) && error.code === 'not_found' ? notFound('attachment', id) : error
    },
  )
  return { ...found, attachment }
}

export function viewAttachment(row: Described): Attachment {
  const { id, name, media_type: mediaType, size, sha256 } = row
  return { id, name, mediaType, size, sha256 }
}
