import { z } from 'zod'
import { freeText } from './free-text.ts'
import { Revision, Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { maskTokens } from './token-form.ts'
import { Title } from './objective.ts'

// spec: Resources and their fields > Artifact
export const Artifact = z.strictObject({
  id: Uuid,
  missionId: Uuid,
  objectiveId: Uuid.nullable(),
  deliveryId: Uuid.nullable(),
  type: z.string(),
  label: z.string(),
  contentText: z.string().nullable(),
  externalUrl: z.string().nullable(),
  revision: Revision,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Artifact = z.infer<typeof Artifact>

export const ArtifactType = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,59}$/, 'use a-z, 0-9, underscore, dot and dash, as in next_steps')

const ContentText = freeText().refine(
  (text) => new TextEncoder().encode(text).length <= limits.contentTextBytes,
  {
    message: `keep contentText within ${limits.contentTextBytes / 1024} KiB`,
  },
)
const ExternalUrl = z
  .url({ protocol: /^https?$/, error: 'use an http or https address' })
  .max(2048)
  .overwrite(maskTokens)

export const artifactContent = {
  label: Title,
  contentText: ContentText.optional(),
  externalUrl: ExternalUrl.optional(),
}

export const ArtifactInput = z
  .strictObject({ type: ArtifactType, ...artifactContent })
  .refine((input) => input.contentText !== undefined || input.externalUrl !== undefined, {
    message: 'give contentText or externalUrl',
  })
export type ArtifactInput = z.infer<typeof ArtifactInput>

interface ArtifactChange {
  label?: string | undefined
  contentText?: string | undefined
  externalUrl?: string | null | undefined
}

export const changesArtifact = [
  ({ label, contentText, externalUrl }: ArtifactChange) =>
    label !== undefined || contentText !== undefined || externalUrl !== undefined,
  { message: 'give at least one of label, contentText and externalUrl' },
] as const
