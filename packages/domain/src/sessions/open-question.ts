import type { QuestionOption } from '@svc/contracts/question'
import { ServiceError } from '@svc/contracts/errors'
import { appPages } from '@svc/contracts/links'
import type { QuestionRow } from '@svc/db/tables'
import { recordEvent } from '../commit/records.ts'
import { newId } from '../common/ids.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { countOpen, pendingUntil, recordQuestionChange } from '../lifecycle/move-question.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { snapshotSession } from '../entities/missions/snapshot.ts'
import { notifyOwner } from '../notifications/notify-owner.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { SessionCall } from './call.ts'
import { closeQuestion } from '../execution-requests/close-question.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

interface Asked {
  question: string
  options?: readonly QuestionOption[] | undefined
  allowFreeText: boolean
  supersede?: boolean | undefined
}

interface Opened {
  call: SessionCall
  question: QuestionRow
  eventId: string
}

/** All effects of row 6, in the caller's transaction and under its locks. spec: States and transitions, row 6. */
export async function openQuestion(
  tx: UnitOfWork,
  call: SessionCall,
  asked: Asked,
): Promise<Opened> {
  const { mission, objective, session, author } = call
  if (call.question) {
    if (asked.supersede !== true) throw questionOpen(call.question)
    const summary = 'Taken back: the agent asks something else'
    await closeQuestion(tx, 'withdraw', call.question, { author, summary })
  }
  const question = await insertQuestion(tx, call, asked)
  await countOpen(tx, question, 1)
  recordQuestionChange(tx, question, 'ask')
  const eventId = recordEvent(
    tx,
    author,
    { objective },
    {
      type: 'ask',
      summary: question.question,
      data: { questionId: question.id, options: question.options },
    },
  )
  const waiting = moveSession(tx, 'ask', session)
  const moved = await moveObjective(tx, 'ask', {
    mission,
    objective,
    payload: { session: snapshotSession(waiting) },
  })
  const displayId = displayIdOf(mission, objective)
  await notifyOwner(tx, call, {
    kind: 'question',
    key: `question:${question.id}`,
    title: `${session.agent_identifier} asks about ${displayId}`,
    page: appPages.objective(displayId),
    subject_id: question.id,
    next: { operation: 'answerQuestion', params: { id: displayId } },
  })
  return { call: { ...call, objective: moved, session: waiting, question }, question, eventId }
}

function insertQuestion(tx: Tx, call: SessionCall, asked: Asked): Promise<QuestionRow> {
  const { mission, objective, session } = call
  return tx
    .insertInto('questions')
    .values({
      workspace_id: mission.workspace_id,
      id: newId(),
      project_id: mission.project_id,
      mission_id: mission.id,
      objective_id: objective.id,
      session_id: session.id,
      agent_identifier: session.agent_identifier,
      addressed_to: objective.addressed_to,
      question: asked.question,
      options: JSON.stringify(asked.options ?? []),
      allow_free_text: asked.allowFreeText,
      expires_at: pendingUntil,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function questionOpen({ id, status }: QuestionRow): ServiceError {
  const what =
    status === 'open'
      ? 'You have asked already and nobody has answered yet. Wait for that, or ask with supersede to take it back.'
      : 'What you asked before was answered, and pendingAnswers has the answer. Read it before you ask again.'
  const next = { operation: 'ask', params: { questionId: id } } as const
  return new ServiceError('question_open', what, { questionId: id, status }, { next })
}
