import { limits } from '@svc/contracts/limits'
import { questionStatuses } from '@svc/contracts/states'
import type { QuestionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordChange } from '../commit/records.ts'
import { settleNotices } from '../notifications/settle.ts'
import { type QuestionTrigger, questionLifecycle } from '../states/table.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Answer = Pick<QuestionRow, 'answer_option_id' | 'answer_text' | 'answered_by'>

/**
 * The only statement that writes a question's status. The caller holds the locks of its mission and objective; one that
 * has moved on meanwhile cannot be there.
 */
export async function moveQuestion(
  tx: UnitOfWork,
  trigger: QuestionTrigger,
  question: QuestionRow,
  answer?: Answer,
): Promise<QuestionRow> {
  const row = questionLifecycle[trigger]
  const moved = await tx
    .updateTable('questions')
    .set({
      ...answer,
      status: row.to,
      ...(answer && { answered_at: sql<Date>`app.now()` }),
      ...(questionStatuses[row.to].pending
        ? { expires_at: pendingUntil }
        : { closed_at: sql<Date>`app.now()` }),
    })
    .where('workspace_id', '=', question.workspace_id)
    .where('id', '=', question.id)
    .where('status', 'in', row.from)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (question.status === 'open') {
    await countOpen(tx, question, -1)
    settleNotices(tx, ['question'], question.workspace_id, [question.id])
  }
  recordQuestionChange(tx, moved, trigger)
  return moved
}

/** Decision 34. */
export const pendingUntil = sql<Date>`app.now() + make_interval(days => ${limits.questionDays})`

/** Counts the open questions of the mission, whose lock the caller holds. */
export async function countOpen(
  tx: Tx,
  { workspace_id, mission_id }: Pick<QuestionRow, 'workspace_id' | 'mission_id'>,
  by: 1 | -1,
): Promise<void> {
  await tx
    .updateTable('missions')
    .set({ open_questions: sql<number>`open_questions + ${by}` })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', mission_id)
    .execute()
}

export function recordQuestionChange(
  tx: UnitOfWork,
  question: QuestionRow,
  operation: string,
): void {
  recordChange(tx, { question }, operation, {
    objectiveId: question.objective_id,
    status: question.status,
  })
}
