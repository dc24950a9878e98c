import type { Artifact, ArtifactInput } from '@svc/contracts/artifact'
import type { ArtifactRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { newId } from '../common/ids.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import type { MissionScope } from '../sessions/require-session.ts'
import { authorOf, replyOfScope, requireScope } from '../sessions/scope.ts'
import type { Reply } from '../entities/sessions/views.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface AddArtifact extends MissionScope {
  artifact: ArtifactInput
}

/** Publishes an artifact without delivering. One use case for REST, protocol and tool. */
export async function addArtifact(
  context: UseCase,
  actor: Actor,
  input: AddArtifact,
): Promise<{ artifact: Artifact } & Partial<Reply>> {
  return inTransaction(context, async (tx) => {
    const scope = await requireScope(tx, actor, 'artifact:create', input)
    const author = authorOf(actor, scope)
    const artifact = await insertArtifact(tx, scope.mission, {
      artifact: input.artifact,
      objectiveId: scope.objective?.id ?? null,
      deliveryId: null,
    })
    recordEvent(
      tx,
      author,
      { artifact },
      {
        type: 'artifact_added',
        summary: `${artifact.type}: ${artifact.label}`,
        data: { artifactId: artifact.id },
      },
    )
    return { artifact: viewArtifact(artifact), ...replyOfScope(tx, scope) }
  })
}

interface NewArtifact {
  artifact: ArtifactInput
  objectiveId: string | null
  deliveryId: string | null
}

export async function insertArtifact(
  tx: UnitOfWork,
  mission: MissionRecord,
  { artifact, objectiveId, deliveryId }: NewArtifact,
): Promise<ArtifactRow> {
  const row = await tx
    .insertInto('artifacts')
    .values({
      workspace_id: mission.workspace_id,
      id: newId(),
      mission_id: mission.id,
      objective_id: objectiveId,
      delivery_id: deliveryId,
      type: artifact.type,
      label: artifact.label,
      content_text: artifact.contentText ?? null,
      external_url: artifact.externalUrl ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChange(tx, { artifact: row, mission }, 'add')
  return row
}
