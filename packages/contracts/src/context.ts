import { z } from 'zod'
import { AgentSession, sessionReply } from './agent-session.ts'
import { Artifact } from './artifact.ts'
import { Delivery } from './delivery.ts'
import { Timestamp, Uuid } from './ids.ts'
import { Mission, MissionEvent } from './mission.ts'
import { Objective } from './objective.ts'
import { Project, ProjectResource } from './project.ts'

export const Attachment = z.strictObject({
  id: Uuid,
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  sha256: z.string(),
})

export const SharedStateEntry = z.strictObject({
  key: z.string(),
  value: z.json(),
  revision: z.int(),
  updatedAt: Timestamp,
})

export const AskedQuestion = z.strictObject({
  id: Uuid,
  question: z.string(),
  answer: z.string().nullable(),
  askedAt: Timestamp,
})
export type AskedQuestion = z.infer<typeof AskedQuestion>

// spec: Agent protocol operations: the answer to attach
export const MissionContext = z.strictObject({
  mission: Mission,
  project: Project,
  currentObjective: Objective.nullable(),
  previousObjectives: z.array(Objective),
  futureObjectives: z.array(Objective),
  history: z.array(MissionEvent),
  deliveries: z.array(Delivery),
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
  ...sessionReply,
})
export type AttachAnswer = z.infer<typeof AttachAnswer>
