import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { SessionEndReason, SessionPhase, SessionStatus } from './states.ts'

// spec: Resources and their fields > Agent session
export const AgentSession = z.strictObject({
  id: Uuid,
  missionId: Uuid,
  objectiveId: Uuid,
  executionRequestId: Uuid.nullable(),
  title: z.string(),
  agentIdentifier: z.string(),
  modelIdentifier: z.string().nullable(),
  phase: SessionPhase,
  status: SessionStatus,
  endReason: SessionEndReason.nullable(),
  attachedAt: Timestamp,
  lastHeardAt: Timestamp,
})
export type AgentSession = z.infer<typeof AgentSession>

/** `sess_` and 43 base64url characters, shown once at attach; an objective's display id may stand in its place. */
export const SessionKey = z
  .string()
  .min(1)
  .max(120)
  .describe("from attach; an objective's display id may stand in")

export const Directive = z.enum(['continue', 'stop'])
export const PendingAnswer = z.strictObject({
  questionId: Uuid,
  question: z.string(),
  optionId: z.string().nullable(),
  answer: z.string(),
})
export type PendingAnswer = z.infer<typeof PendingAnswer>

/** What every reply to an agent's call carries in addition to its own content. */
export const sessionReply = {
  directive: Directive,
  pendingAnswers: z.array(PendingAnswer),
}
