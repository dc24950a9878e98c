import type { QuestionRow } from '@svc/db/tables'
import { type Author, recordEvent } from '../commit/records.ts'
import { moveQuestion } from '../lifecycle/move-question.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A question that gets no answer, or whose answer nobody is there to take. Recorded in the history. */
export async function closeQuestion(
  tx: UnitOfWork,
  trigger: 'withdraw' | 'expire',
  question: QuestionRow,
  { author, summary }: { author: Author; summary: string },
): Promise<void> {
  const closed = await moveQuestion(tx, trigger, question)
  recordEvent(
    tx,
    author,
    { question: closed },
    { type: 'question_closed', summary, data: { questionId: closed.id, status: closed.status } },
  )
}
