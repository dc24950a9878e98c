import { z } from 'zod'
import { ExecutionRequest } from '../execution-request.ts'
import { MissionRef, ObjectiveRef, Uuid } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { AnswerText, Question } from '../question.ts'
import { QuestionStatus } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { IdList, byId } from './parts.ts'

export const questionsEndpoints = {
  listQuestions: {
    method: 'GET',
    path: '/api/questions',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      missionId: MissionRef.optional(),
      objectiveId: ObjectiveRef.optional(),
      ids: IdList.optional(),
      status: QuestionStatus.optional(),
    }),
    answer: z.strictObject({ questions: z.array(Question), nextCursor: NextCursor }),
    status: 200,
  },
  getQuestion: {
    method: 'GET',
    path: '/api/questions/:id',
    permission: 'mission:read',
    params: byId(Uuid),
    answer: z.strictObject({ question: Question }),
    status: 200,
  },
  /** By one of its options, or in words. `executionRequest` is the run that takes the answer where the asking one has ended. */
  answerQuestion: {
    method: 'POST',
    path: '/api/questions/:id/answer',
    permission: 'session:update',
    params: byId(Uuid),
    body: z
      .strictObject({ optionId: z.string().max(40).optional(), text: AnswerText.optional() })
      .refine(({ optionId, text }) => (optionId === undefined) !== (text === undefined), {
        message: 'give optionId or text',
      }),
    answer: z.strictObject({
      question: Question,
      executionRequest: ExecutionRequest.nullable(),
    }),
    status: 200,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
