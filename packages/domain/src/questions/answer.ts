import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import { isMachine } from '../access/is-machine.ts'
import type { Actor } from '../common/actor.ts'
import { recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { resumeRun } from '../execution-requests/resume.ts'
import { viewRequest } from '../entities/execution-requests/views.ts'
import { lockKnown } from '../lifecycle/lock-run.ts'
import { moveQuestion } from '../lifecycle/move-question.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import {
  type QuestionRecord,
  requireQuestion,
  selectQuestion,
} from '../entities/questions/queries.ts'
import { viewQuestion } from '../entities/questions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Input = RouteInput<'answerQuestion'>

/**
 * A person answers what an agent asked. An agent that is there takes the answer with its next call; where it has ended,
 * a run that goes on with its work takes it. Decision 34.
 */
export async function answerQuestion(
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<RouteOutput<'answerQuestion'>> {
  return inTransaction(context, async (tx) => {
    const { run, question: open } = await lockQuestion(tx, actor, input.id)
    refuseMachines(actor)
    refuseUnlessOpen(open)
    const { optionId, text } = choose(open, input)
    const answered = await moveQuestion(tx, 'answer', open, {
      answer_option_id: optionId,
      answer_text: text,
      answered_by: actor.userId,
    })
    recordEvent(
      tx,
      { userId: actor.userId, role: 'person' },
      { question: answered },
      { type: 'answer', summary: text, data: { questionId: answered.id, optionId } },
    )
    const parked = run.request?.outcome === 'parked' ? run.request : undefined
    const resumed = parked && (await resumeRun(tx, { ...run, request: parked }, 'answer'))
    const question = { ...open, ...answered, answered_by_name: actor.userName }
    return {
      question: viewQuestion(question),
      executionRequest: resumed ? await viewRequest(tx, actor, resumed) : null,
    }
  })
}

/** The question with all that its answer may move, locked in the lock order and read after the locks. */
async function lockQuestion(tx: UnitOfWork, actor: Actor, id: string) {
  const { workspaceId } = actor
  const found = await requireQuestion(tx, workspaceId, id)
  const missing = () => notFound('question', id)
  const run = await lockKnown(tx, {
    workspaceId,
    missionId: found.mission_id,
    objectiveId: found.objective_id,
    requestId: found.execution_request_id,
    sessionId: found.session_id,
    extraReads: () => ({ questions: selectQuestion(workspaceId, id) }),
  })
  const [question] = run?.extraReads.questions ?? []
  if (!run || !question) throw missing()
  authorize(actor, 'session:update', { ...scopeOfObjective(run, id), missing })
  return { run, question }
}

/** An answer is a person's act: what an agent or its runner holds could answer its own questions. */
function refuseMachines(actor: Actor): void {
  if (!isMachine(actor)) return
  throw new ServiceError(
    'forbidden',
    'Only a person answers what an agent asks: use a token of your own, not that of a runner or of an agent.',
    { permission: 'session:update' },
  )
}

function refuseUnlessOpen(question: QuestionRecord): void {
  const { status, answered_at, answered_by_name } = question
  if (status === 'open') return
  if (status === 'answered' || status === 'delivered') {
    const at = answered_at?.toISOString() ?? null
    throw new ServiceError(
      'already_answered',
      `${answered_by_name} has answered this already: ${question.answer_text}`,
      { by: answered_by_name, at },
    )
  }
  throw new ServiceError(
    'question_closed',
    `This question is ${status}: no agent waits for its answer.`,
    { status },
    { next: { operation: 'listQuestions', params: {} } },
  )
}

/** An option stands for its label, and whoever writes nothing but its id means it. */
function choose(question: QuestionRecord, input: Input): { optionId: string | null; text: string } {
  const { options, allow_free_text: isFree } = question
  const wanted = input.optionId ?? input.text?.trim()
  const option = options.find(({ id }) => id === wanted)
  if (option) return { optionId: option.id, text: option.label }
  if (isFree && input.optionId === undefined) return { optionId: null, text: input.text ?? '' }
  throw misfit(options)
}

function misfit(options: QuestionRecord['options']): ServiceError {
  const message =
    options.length === 0
      ? 'This question has no options: answer it in words.'
      : `This question is answered by one of its options: ${idsOf(options)}.`
  const fields = [{ path: 'optionId', message }]
  return new ServiceError('validation_failed', message, { fields })
}

function idsOf(options: QuestionRecord['options']): string {
  return options.map(({ id }) => id).join(', ')
}
