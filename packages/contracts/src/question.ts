import { z } from 'zod'
import { freeText } from './free-text.ts'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { QuestionStatus } from './states.ts'

export const QuestionText = freeText().trim().min(1).max(limits.questionCharacters)
export const AnswerText = freeText().trim().min(1).max(limits.answerCharacters)

export const QuestionOption = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/, 'use 1 to 40 of letters, digits and ._-'),
  label: freeText().trim().min(1).max(200),
  description: freeText().trim().min(1).max(1000).optional(),
})
export type QuestionOption = z.infer<typeof QuestionOption>

export const QuestionOptions = z
  .array(QuestionOption)
  .max(limits.questionOptions)
  .refine((options) => new Set(options.map(({ id }) => id)).size === options.length, {
    message: 'give each option an id of its own',
  })

/** What was answered: an option, whose label is the text then, or words of one's own. */
export const QuestionAnswer = z.strictObject({
  optionId: z.string().nullable(),
  text: z.string(),
})
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

/** `open` until a person answers; `answered` until its agent has the answer, which makes it `delivered`. */
export const Question = z.strictObject({
  id: Uuid,
  missionId: Uuid,
  objectiveId: Uuid,
  displayId: z.string(),
  agentIdentifier: z.string(),
  question: z.string(),
  options: z.array(QuestionOption),
  allowFreeText: z.boolean(),
  status: QuestionStatus,
  answer: QuestionAnswer.extend({ by: z.string(), at: Timestamp }).nullable(),
  askedAt: Timestamp,
  expiresAt: Timestamp,
  closedAt: Timestamp.nullable(),
})
export type Question = z.infer<typeof Question>
