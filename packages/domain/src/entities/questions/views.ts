import type { PendingAnswer } from '@svc/contracts/agent-session'
import type { AskedQuestion } from '@svc/contracts/context'
import type { Question, QuestionAnswer } from '@svc/contracts/question'
import type { QuestionRow } from '@svc/db/tables'
import type { QuestionRecord } from './queries.ts'

export function viewQuestion(question: QuestionRecord): Question {
  const answer = answerOf(question)
  return {
    id: question.id,
    missionId: question.mission_id,
    objectiveId: question.objective_id,
    displayId: `${question.project_slug}:${question.sequence}.${question.key}`,
    agentIdentifier: question.agent_identifier,
    question: question.question,
    options: question.options,
    allowFreeText: question.allow_free_text,
    status: question.status,
    answer: answer && {
      ...answer,
      by: question.answered_by_name ?? '',
      at: question.answered_at?.toISOString() ?? '',
    },
    askedAt: question.asked_at.toISOString(),
    expiresAt: question.expires_at.toISOString(),
    closedAt: question.closed_at?.toISOString() ?? null,
  }
}

export function answerOf(question: QuestionRow): QuestionAnswer | null {
  if (question.answer_text === null) return null
  return { optionId: question.answer_option_id, text: question.answer_text }
}

/** What waits for the agent of the session: the answer that it has not taken yet. */
export function viewPending(question: QuestionRow | undefined): PendingAnswer[] {
  if (question?.status !== 'answered') return []
  return [
    {
      questionId: question.id,
      question: question.question,
      optionId: question.answer_option_id,
      answer: question.answer_text ?? '',
    },
  ]
}

export function viewAsked(question: QuestionRow): AskedQuestion {
  return {
    id: question.id,
    question: question.question,
    answer: question.answer_text,
    askedAt: question.asked_at.toISOString(),
  }
}
