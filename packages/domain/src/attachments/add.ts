import { createHash } from 'node:crypto'
import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import { viewAttachment } from '../entities/attachments/queries.ts'
import { recordAttachmentChange } from './record-change.ts'

/** A file for whoever works on the objective. */
export async function addAttachment(
  context: UseCase,
  actor: Actor,
  { id, name, mediaType, bytes }: RouteInput<'addAttachment'>,
): Promise<RouteOutput<'addAttachment'>> {
  return inTransaction(context, async (tx) => {
    const found = await lockMissionAndObjective(tx, actor.workspaceId, id)
    authorize(actor, 'objective:update', scopeOfObjective(found, id))
    await refuseIfFull(tx, found.objective, bytes.byteLength)
    const row = await tx
      .insertInto('attachments')
      .values({
        workspace_id: actor.workspaceId,
        id: newId(),
        mission_id: found.mission.id,
        objective_id: found.objective.id,
        name,
        media_type: mediaType,
        size: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: Buffer.from(bytes),
        created_by: actor.userId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'objective_id', 'name', 'media_type', 'size', 'sha256'])
      .executeTakeFirst()
    if (!row) throw nameTaken(name)
    recordAttachmentChange(tx, found, { attachmentId: row.id, name })
    return { attachment: viewAttachment(row) }
  })
}

async function refuseIfFull(
  tx: Tx,
  { workspace_id, id }: ObjectiveRow,
  added: number,
): Promise<void> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*)::float8 as files, coalesce(sum(size), 0)::float8 as bytes
      from attachments where workspace_id = ${workspace_id} and objective_id = ${id}`.execute(tx)
  const { files, bytes } = rows[0] ?? { files: 0, bytes: 0 }
  const most = limits.attachmentBytesPerObjective
  if (files < limits.attachmentsPerObjective && bytes + added <= most) return
  throw new ServiceError(
    'too_large',
    `The attachments of an objective are ${limits.attachmentsPerObjective} and ${most / 1024 / 1024} MiB at most. Delete one first.`,
    { maxBytes: most, maxFiles: limits.attachmentsPerObjective },
  )
}

function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'already_exists',
    `The objective has an attachment ${name} already. Delete it first, or choose another name.`,
    { name },
  )
}
