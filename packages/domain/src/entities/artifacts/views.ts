import type { Artifact } from '@svc/contracts/artifact'
import type { ArtifactRow } from '@svc/db/tables'

export function viewArtifact(artifact: ArtifactRow): Artifact {
  return {
    id: artifact.id,
    missionId: artifact.mission_id,
    objectiveId: artifact.objective_id,
    deliveryId: artifact.delivery_id,
    type: artifact.type,
    label: artifact.label,
    contentText: artifact.content_text,
    externalUrl: artifact.external_url,
    revision: artifact.revision,
    createdAt: artifact.created_at.toISOString(),
    updatedAt: artifact.updated_at.toISOString(),
  }
}
