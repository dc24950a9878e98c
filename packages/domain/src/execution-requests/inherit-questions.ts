import type { AgentSessionRow, QuestionRow } from '@svc/db/tables'
import type { Author } from '../commit/records.ts'
import { moveQuestion } from '../lifecycle/move-question.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { closeQuestion } from './close-question.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Inheritance {
  /** Pending of the objective. */
  question: QuestionRow | undefined
  /** The session that this one goes on from, if it does. */
  before: AgentSessionRow | undefined
  session: AgentSessionRow
  author: Author
}

interface Inherited {
  session: AgentSessionRow
  /** What the attach itself returns to the agent, which has taken it by that. */
  question: QuestionRow | undefined
}

/** Who goes on with the work goes on with its question; whoever begins anew does not. */
export async function inheritQuestion(
  tx: UnitOfWork,
  { question, before, session, author }: Inheritance,
): Promise<Inherited> {
  if (!question) return { session, question }
  if (question.session_id !== before?.id) {
    const summary = `Withdrawn: ${session.agent_identifier} works in place of the agent that asked`
    await closeQuestion(tx, 'withdraw', question, { author, summary })
    return { session, question: undefined }
  }
  await tx
    .updateTable('questions')
    .set({ session_id: session.id })
    .where('workspace_id', '=', question.workspace_id)
    .where('id', '=', question.id)
    .execute()
  if (question.status === 'open') return { session: moveSession(tx, 'ask', session), question }
  await moveQuestion(tx, 'take', question)
  return { session, question }
}
