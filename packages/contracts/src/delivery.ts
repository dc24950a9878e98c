import { z } from 'zod'
import { advice } from './advice.ts'
import { agentExamples } from './agent-examples.ts'
import { freeText } from './free-text.ts'
import { DeliveryChecks } from './check.ts'
import { Artifact, ArtifactInput } from './artifact.ts'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'

const text = freeText().trim().min(1).max(limits.reportTextCharacters)
const optionalText = text.optional()
const evidenced = z.strictObject({ text, evidence: optionalText })

/** One item of each list of a report; the first field is what it says. */
export const reportItems = {
  humanActions: z.strictObject({
    action: text,
    reason: optionalText,
    blocking: z.boolean().optional(),
  }),
  tradeoffsMade: z.strictObject({ decision: text, rationale: optionalText, impact: optionalText }),
  risks: evidenced,
  deferredWork: evidenced,
  assumptions: evidenced,
} as const

const listOf = <Item extends z.ZodObject>(item: Item) =>
  z.array(item).max(limits.reportItems).default([])

/** What an agent says of its own work; every list may be empty. Decision 38. */
export const AgentReport = z
  .strictObject({
    humanActions: listOf(reportItems.humanActions),
    tradeoffsMade: listOf(reportItems.tradeoffsMade),
    risks: listOf(reportItems.risks),
    deferredWork: listOf(reportItems.deferredWork),
    assumptions: listOf(reportItems.assumptions),
  })
  .meta({ examples: [agentExamples.report] })
export type AgentReport = z.infer<typeof AgentReport>

/** The report, its lists, their items, and a little of what these hold. */
const reportLevels = 6

const { $schema: _dialect, ...reportShape } = z.toJSONSchema(AgentReport, {
  io: 'input',
  override: ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties
  },
})

/**
 * What a call accepts as `report`: anything, described as an `AgentReport`. What of it makes one is read behind the
 * contract.
 */
export const SentReport = advice(reportLevels).meta(reportShape)

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
  /** The run that delivered; null where an agent attached by itself, or recorded its work afterwards. */
  executionRequestId: Uuid.nullable().default(null),
  summary: z.string(),
  report: DeliveryReport,
  artifacts: z.array(Artifact),
  /** What its checks came to; null where neither the project nor the objective names any. */
  checks: DeliveryChecks.nullable().default(null),
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
