import type { ServiceError } from '@svc/contracts/errors'
import type { Artifact } from '@svc/contracts/artifact'
import type { Tx } from '@svc/db/database'
import type { ArtifactRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { revisionMismatch } from '../common/revision.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import type { MissionScope } from '../sessions/require-session.ts'
import { authorOf, replyOfScope, requireScope } from '../sessions/scope.ts'
import type { Reply } from '../entities/sessions/views.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'

export interface UpdateArtifact extends MissionScope {
  artifactId: string
  expectedRevision: number
  label?: string | undefined
  contentText?: string | undefined
  /** Null takes it away: what is left is a text, if an empty one. */
  externalUrl?: string | null | undefined
}

/** Revises in place, if nobody did since `expectedRevision`. */
export async function updateArtifact(
  context: UseCase,
  actor: Actor,
  input: UpdateArtifact,
): Promise<{ artifact: Artifact } & Partial<Reply>> {
  return inTransaction(context, async (tx) => {
    const scope = await requireScope(tx, actor, 'artifact:update', input)
    const revised = await compareAndSet(tx, actor.workspaceId, scope.mission.id, input)
    if (!revised) throw await whyNot(tx, actor.workspaceId, scope.mission.id, input)
    recordChange(tx, { artifact: revised, mission: scope.mission }, 'update', {
      revision: revised.revision,
    })
    recordEvent(
      tx,
      authorOf(actor, scope),
      { artifact: revised },
      {
        type: 'artifact_updated',
        summary: `${revised.type}: ${revised.label}`,
        data: { artifactId: revised.id, revision: revised.revision },
      },
    )
    return { artifact: viewArtifact(revised), ...replyOfScope(tx, scope) }
  })
}

/** A caller may expect a number that no revision ever reaches. */
function compareAndSet(
  tx: Tx,
  workspaceId: string,
  missionId: string,
  input: UpdateArtifact,
): Promise<ArtifactRow | undefined> {
  return tx
    .updateTable('artifacts')
    .set({
      ...(input.label !== undefined && { label: input.label }),
      ...(input.contentText !== undefined && { content_text: input.contentText }),
      ...(input.externalUrl !== undefined && { external_url: input.externalUrl }),
      ...(input.externalUrl === null &&
        input.contentText === undefined && {
          content_text: sql<string>`coalesce(content_text, '')`,
        }),
      revision: sql<number>`revision + 1`,
      updated_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('mission_id', '=', missionId)
    .where('id', '=', input.artifactId)
    .where(sql<boolean>`revision = ${input.expectedRevision}::bigint`)
    .returningAll()
    .executeTakeFirst()
}

async function whyNot(
  tx: Tx,
  workspaceId: string,
  missionId: string,
  input: UpdateArtifact,
): Promise<ServiceError> {
  const found = await tx
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('mission_id', '=', missionId)
    .where('id', '=', input.artifactId)
    .executeTakeFirst()
  if (!found) return notFound('artifact', input.artifactId)
  return revisionMismatch(
    `The artifact is at revision ${found.revision}, not ${input.expectedRevision}. Read it again, then repeat the change.`,
    found.revision,
    { artifact: viewArtifact(found) },
    { operation: 'listArtifacts', params: { id: missionId } },
  )
}
