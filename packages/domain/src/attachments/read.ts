import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { scopeOfObjective, requireObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import {
  requireAttachment,
  selectAttachments,
  viewAttachment,
} from '../entities/attachments/queries.ts'

export async function listAttachments(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'listAttachments'>,
): Promise<RouteOutput<'listAttachments'>> {
  const found = await requireObjective(domain.db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfObjective(found, id))
  const rows = await selectAttachments(domain.db, actor.workspaceId, found.objective.id).execute()
  return { attachments: rows.map(viewAttachment) }
}

export async function getAttachment(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getAttachment'>,
): Promise<RouteOutput<'getAttachment'>> {
  const found = await requireAttachment(domain.db, actor.workspaceId, id)
  const missing = () => notFound('attachment', id)
  authorize(actor, 'mission:read', { ...scopeOfObjective(found, id), missing })
  const row = await domain.db
    .selectFrom('attachments')
    .select('bytes')
    .where('workspace_id', '=', actor.workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw missing()
  const name = encodeURIComponent(found.attachment.name).replace(/['()*]/g, percentEncoded)
  return {
    bytes: row.bytes,
    headers: { 'content-disposition': `attachment; filename*=UTF-8''${name}` },
  }
}

/** What `encodeURIComponent` leaves, though a header may not have it. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
