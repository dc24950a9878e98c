import { z } from 'zod'
import { agentExamples } from './agent-examples.ts'
import { freeText } from './free-text.ts'
import { Artifact, ArtifactInput } from './artifact.ts'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'

const text = freeText().trim().min(1).max(4000)
const optionalText = text.optional()
const evidenced = z.strictObject({ text, evidence: optionalText })

/** What an agent says of its own work; every list may be empty. Decision 38. */
export const AgentReport = z
  .strictObject({
    humanActions: z
      .array(
        z.strictObject({ action: text, reason: optionalText, blocking: z.boolean().optional() }),
      )
      .max(100)
      .default([]),
    tradeoffsMade: z
      .array(z.strictObject({ decision: text, rationale: optionalText, impact: optionalText }))
      .max(100)
      .default([]),
    risks: z.array(evidenced).max(100).default([]),
    deferredWork: z.array(evidenced).max(100).default([]),
    assumptions: z.array(evidenced).max(100).default([]),
  })
  .meta({ examples: [agentExamples.report] })
export type AgentReport = z.infer<typeof AgentReport>

export const Presentation = z.strictObject({
  status: z.enum(['deterministic', 'composing', 'composed']),
  markdown: z.string(),
})

// spec: Resources and their fields > Delivery
export const DeliveryReport = z.strictObject({
  schemaVersion: z.literal(1),
  agentReport: AgentReport,
  presentation: Presentation,
})
export type DeliveryReport = z.infer<typeof DeliveryReport>

export const Delivery = z.strictObject({
  id: Uuid,
  missionId: Uuid,
  objectiveId: Uuid,
  sessionId: Uuid.nullable(),
  summary: z.string(),
  report: DeliveryReport,
  artifacts: z.array(Artifact),
  /** What its run left that is not on its branch, a sentence each; known once the run has ended. */
  warnings: z.array(z.string()).default([]),
  createdAt: Timestamp,
})
export type Delivery = z.infer<typeof Delivery>

export const Summary = freeText().trim().min(1).max(limits.summaryCharacters)
export const DeliveryArtifacts = z
  .array(ArtifactInput)
  .max(limits.artifactsPerDelivery)
  .meta({ examples: [agentExamples.artifacts] })
