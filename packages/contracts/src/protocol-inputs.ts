import { z } from 'zod'
import { SessionKey } from './agent-session.ts'
import { ArtifactInput, artifactContent, changesArtifact } from './artifact.ts'
import { ChangeRationales } from './change-rationale.ts'
import { DeliveryArtifacts, SentReport, Summary } from './delivery.ts'
import { freeText } from './free-text.ts'
import {
  Revision,
  Uuid,
  missionScope,
  namesItsMission,
  namesItsMissionMessage,
  word,
} from './ids.ts'
import { limits } from './limits.ts'
import { Title } from './objective.ts'
import { QuestionOptions, QuestionText } from './question.ts'

// spec: Agent protocol operations
const sessionScope = { ...missionScope, sessionKey: SessionKey.optional() }
const namesMission = [namesItsMission, { message: namesItsMissionMessage }] as const
const namesOrSpeaks = [
  namesItsMission,
  { message: `${namesItsMissionMessage}, or give the sessionKey of an attach` },
] as const

export const AttachInput = z.strictObject({
  agentIdentifier: freeText().trim().min(1).max(80).describe('which agent you are'),
  modelIdentifier: word(200).optional(),
  ...missionScope,
  executionRequestId: Uuid.describe('UUID of the run that started you').optional(),
  generation: z.int().min(1).optional(),
  externalSessionId: z.string().max(200).optional(),
  takeOver: z.boolean().describe('end the session that another agent holds').optional(),
})

export const LoadContextInput = z
  .strictObject({
    ...missionScope,
    artifactId: Uuid.describe('to read the content of this one, and nothing else').optional(),
    offset: z
      .int()
      .min(0)
      .describe('to read on: where a cut instruction or content goes on, as it says')
      .optional(),
  })
  .refine(...namesMission)

export const UpdateInput = z
  .strictObject({
    ...sessionScope,
    text: freeText().trim().min(1).max(limits.updateCharacters).optional(),
    question: QuestionText.describe('what only a person can decide').optional(),
    options: QuestionOptions.describe('answers to choose from').optional(),
    supersede: z.boolean().describe('take back what you asked before').optional(),
    changeRationales: ChangeRationales.optional(),
  })
  .refine(...namesOrSpeaks)

export const AskInput = z
  .strictObject({
    sessionKey: SessionKey,
    question: QuestionText.optional(),
    /** A question that was asked before: the call goes on waiting for its answer. */
    questionId: Uuid.optional(),
    options: QuestionOptions.optional(),
    allowFreeText: z.boolean().default(true),
    /** Takes back the question that is pending. */
    supersede: z.boolean().optional(),
    waitSeconds: z.number().min(0).max(limits.askWaitSeconds).default(0),
  })
  .refine(({ question, questionId }) => (question === undefined) !== (questionId === undefined), {
    message: 'give question, or questionId to wait on',
  })
  .refine(({ options = [], allowFreeText }) => allowFreeText || options.length > 0, {
    message: 'give options, or allow free text',
  })

export const HeartbeatInput = z.strictObject({
  sessionKey: SessionKey,
  percent: z.number().min(0).max(100).optional(),
  note: freeText().max(300).optional(),
})

export const DeliverInput = z
  .strictObject({
    ...sessionScope,
    summary: Summary,
    report: SentReport.optional(),
    artifacts: DeliveryArtifacts.optional(),
    changeRationales: ChangeRationales.optional(),
  })
  .refine(...namesOrSpeaks)

export const RecordWorkInput = DeliverInput.safeExtend({
  title: Title.describe('of the objective that is added when none is named').optional(),
})

export const AddArtifactInput = ArtifactInput.safeExtend(sessionScope).refine(...namesOrSpeaks)

export const UpdateArtifactInput = z
  .strictObject({
    artifactId: Uuid.describe('UUID'),
    expectedRevision: Revision,
    ...artifactContent,
    label: artifactContent.label.optional(),
    ...sessionScope,
  })
  .refine(...namesOrSpeaks)
  .refine(...changesArtifact)
