import type { Tx } from '@svc/db/database'
import type { QuestionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { carriedBy } from '../commit/transaction.ts'
import { moveQuestion } from '../lifecycle/move-question.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import type { SessionCall } from './call.ts'
import { type Reply, replyOf } from '../entities/sessions/views.ts'

/** The agent has its answer, and its silence counts again. */
export async function takeAnswer(
  tx: Tx,
  call: SessionCall,
  answered: QuestionRow,
): Promise<{ call: SessionCall; question: QuestionRow }> {
  const question = await moveQuestion(tx, 'take', answered)
  const session = moveSession(tx, 'takeAnswer', call.session)
  return { call: { ...call, session, question: undefined }, question }
}

/** A next call says that the reply before it was read: the answer that it carried is taken. */
export async function takeShown(tx: Tx, call: SessionCall): Promise<SessionCall> {
  const { question } = call
  if (question?.status !== 'answered' || question.shown_at === null) return call
  return (await takeAnswer(tx, call, question)).call
}

/**
 * A reply that carries the answer, in a call that can be sent again under its key and then gets the same reply. Where a
 * lost reply has no such twin, the answer is told and counts as unread.
 */
export function showAnswer(tx: Tx, call: SessionCall): Reply {
  const { question } = call
  if (question?.status === 'answered' && question.shown_at === null) {
    const { workspace_id, id } = question
    const write = sql`
      update questions set shown_at = app.now() where workspace_id = ${workspace_id} and id = ${id}`
    carriedBy(tx).collected.addWrite('answer_shown', write)
  }
  return replyOf(call)
}
