import type { QuestionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { moveQuestion } from '../lifecycle/move-question.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import type { SessionCall } from './call.ts'
import { type Reply, replyOf } from '../entities/sessions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** The agent has its answer, and its silence counts again. */
export async function takeAnswer(
  tx: UnitOfWork,
  call: SessionCall,
  answered: QuestionRow,
): Promise<{ call: SessionCall; question: QuestionRow }> {
  const question = await moveQuestion(tx, 'take', answered)
  const session = moveSession(tx, 'takeAnswer', call.session)
  return { call: { ...call, session, question: undefined }, question }
}

/** A next call says that the reply before it was read: the answer that it carried is taken. */
export async function takeShown(tx: UnitOfWork, call: SessionCall): Promise<SessionCall> {
  const { question } = call
  if (question?.status !== 'answered' || question.shown_at === null) return call
  return (await takeAnswer(tx, call, question)).call
}

/**
 * A reply that carries the answer, in a call that can be sent again under its key and then gets the same reply. Where a
 * lost reply has no such twin, the answer is given and counts as unread.
 */
export function showAnswer(tx: UnitOfWork, call: SessionCall): Reply {
  const { question } = call
  if (question?.status === 'answered' && question.shown_at === null) {
    const { workspace_id, id } = question
    const write = sql`
      update questions set shown_at = app.now() where workspace_id = ${workspace_id} and id = ${id}`
    tx.pending.addStatement('answer_shown', write)
  }
  return replyOf(call)
}
