import { z } from 'zod'
import { AgentSession, sessionReply } from './agent-session.ts'
import { Artifact } from './artifact.ts'
import { Delivery, DeliveryReport } from './delivery.ts'
import { freeText } from './free-text.ts'
import { Timestamp, Uuid } from './ids.ts'
import { Mission, MissionEvent } from './mission.ts'
import { Objective } from './objective.ts'
import { Project, ProjectResource } from './project.ts'

/** The name of a file, in whatever folder it comes to lie. */
export const AttachmentName = freeText()
  .trim()
  .max(150)
  .regex(
    /^(?!\.)[^\p{Cc}\p{Cf}/\\:*?"<>|]+(?<![. ])$/u,
    'use a file name without a folder, such as design.png',
  )
export const MediaType = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'use a type such as image/png')

export const Attachment = z.strictObject({
  id: Uuid,
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  sha256: z.string(),
})

export type Attachment = z.infer<typeof Attachment>

export const SharedStateKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'use 1 to 100 letters, digits and ._:-')

/** Whose credential set a key: a person's, or that of an agent or its runner. */
export const StateSetter = z.enum(['person', 'agent'])

export const SharedStateEntry = z.strictObject({
  key: z.string(),
  value: z.json(),
  revision: z.int(),
  updatedAt: Timestamp,
  /** Who set it last; null where nobody knows any more. */
  setBy: z.strictObject({ name: z.string(), role: StateSetter }).nullable().default(null),
})

export type SharedStateEntry = z.infer<typeof SharedStateEntry>
export const AskedQuestion = z.strictObject({
  id: Uuid,
  question: z.string(),
  answer: z.string().nullable(),
  askedAt: Timestamp,
})
export type AskedQuestion = z.infer<typeof AskedQuestion>

/** The presentation says all that the report does, and is the summary where there is no more to say. */
const DeliveryExcerpt = Delivery.pick({
  id: true,
  objectiveId: true,
  warnings: true,
  createdAt: true,
}).extend({ report: DeliveryReport.pick({ presentation: true }) })
export type DeliveryExcerpt = z.infer<typeof DeliveryExcerpt>

// spec: Agent protocol operations: the answer to attach
export const MissionContext = z.strictObject({
  mission: Mission,
  project: Project,
  currentObjective: Objective.nullable(),
  previousObjectives: z.array(Objective),
  futureObjectives: z.array(Objective),
  /** The events that are about the work, without `routineEvents`. */
  history: z.array(MissionEvent),
  /** What they brought stands in `artifacts`. */
  deliveries: z.array(DeliveryExcerpt),
  artifacts: z.array(Artifact),
  /** What was asked in the current objective, and answered where it was. */
  questions: z.array(AskedQuestion).default([]),
  attachments: z.array(Attachment),
  sharedState: z.array(SharedStateEntry),
  projectResources: z.array(ProjectResource),
  agentInstructions: z.string(),
  truncated: z.boolean(),
})
export type MissionContext = z.infer<typeof MissionContext>

export const AttachAnswer = MissionContext.extend({
  session: AgentSession,
  sessionKey: z.string(),
  /** What it changed apart from the objective: a sentence each. */
  warnings: z.array(z.string()).default([]),
  ...sessionReply,
})
export type AttachAnswer = z.infer<typeof AttachAnswer>
