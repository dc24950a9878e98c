import { z } from 'zod'
import { Artifact, ArtifactInput, artifactContent, changesArtifact } from '../artifact.ts'
import { MissionRef, Revision, Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import { NextCursor } from '../page.ts'
import type { EndpointContract } from './endpoint.ts'
import { missionParams, pageQuery } from './parts.ts'

const artifactAnswer = z.strictObject({ artifact: Artifact })

export const artifactsEndpoints = {
  createArtifact: {
    method: 'POST',
    path: '/api/missions/:id/artifacts',
    permission: 'artifact:create',
    params: missionParams,
    body: ArtifactInput,
    bodyBytes: limits.largeJsonBodyBytes,
    answer: artifactAnswer,
    status: 201,
    repeat: 'keyed',
  },
  listArtifacts: {
    method: 'GET',
    path: '/api/missions/:id/artifacts',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ artifacts: z.array(Artifact), nextCursor: NextCursor }),
    status: 200,
  },
  updateArtifact: {
    method: 'PATCH',
    path: '/api/missions/:id/artifacts/:artifactId',
    permission: 'artifact:update',
    params: z.strictObject({ id: MissionRef, artifactId: Uuid }),
    body: z
      .strictObject({
        expectedRevision: Revision,
        ...artifactContent,
        label: artifactContent.label.optional(),
        /** Null takes it away. */
        externalUrl: artifactContent.externalUrl.unwrap().nullable().optional(),
      })
      .refine(...changesArtifact),
    bodyBytes: limits.largeJsonBodyBytes,
    answer: artifactAnswer,
    status: 200,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
