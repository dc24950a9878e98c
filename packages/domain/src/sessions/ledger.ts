import { ChangedFile } from '@svc/contracts/change-rationale'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { inTransaction, savepoint } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import type { Warnings } from '../warnings.ts'
import { continueSession, lockSessionCall } from './call.ts'
import { requireObjective } from '../objectives/queries.ts'
import { replyOf } from './views.ts'

type ItemAnswers = RouteOutput<'recordLedgerBatch'>['items']

/** Keeps a batch of observed files until the delivery. The same batch again gets the same answer. */
export async function recordLedgerBatch(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'recordLedgerBatch'>,
): Promise<RouteOutput<'recordLedgerBatch'>> {
  return inTransaction(context, async (tx) => {
    const locked = await lockSessionCall(tx, actor, 'session:update', {
      sessionKey: input.sessionKey,
    })
    const named = await requireObjective(tx, actor.workspaceId, input.id)
    if (named.objective.id !== locked.objective.id) throw notFound('objective', input.id)
    const call = await continueSession(tx, locked)
    const items = judge(input.items)
    const stored = await tx
      .insertInto('ledger_batches')
      .values({
        workspace_id: actor.workspaceId,
        objective_id: call.objective.id,
        batch_id: input.batchId,
        mission_id: call.mission.id,
        session_id: call.session.id,
        seq: input.seq,
        items: JSON.stringify(input.items),
        answer: JSON.stringify(items),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'objective_id', 'batch_id'])
          // changes nothing; it makes the first answer readable in the same statement
          .doUpdateSet({ seq: sql<number>`ledger_batches.seq` }),
      )
      .returning('answer')
      .executeTakeFirstOrThrow()
    return { items: stored.answer, ...replyOf(call.request) }
  })
}

/** The last observation of a path counts; an earlier one in the same batch is `ignored`. */
function judge(items: readonly unknown[]): ItemAnswers {
  const parsed = items.map((item) => ChangedFile.safeParse(item))
  const lastOf = new Map<string, number>()
  for (const [index, one] of parsed.entries()) {
    if (one.success) lastOf.set(one.data.filePath, index)
  }
  return parsed.map((one, index) => {
    if (!one.success)
      return { result: 'warning', message: one.error.issues[0]?.message ?? 'unreadable' }
    return { result: lastOf.get(one.data.filePath) === index ? 'accepted' : 'ignored' }
  })
}

/** What is kept of changed files becomes the objective's evidence. A bad item is a warning and nothing more. */
export async function drainLedger(
  tx: Tx,
  objective: ObjectiveRow,
  warnings: Warnings,
): Promise<void> {
  const drained = await savepoint(tx, () => drainBatches(tx, objective, warnings))
  if (!drained.ok) warnings.add('The changed files could not be read from the ledger')
}

async function drainBatches(tx: Tx, objective: ObjectiveRow, warnings: Warnings): Promise<void> {
  const batches = await tx
    .selectFrom('ledger_batches')
    .select(['batch_id', 'items'])
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
    .where('drained_at', 'is', null)
    .orderBy('seq')
    .orderBy('received_at')
    .execute()
  const files = new Map<string, ChangedFile>()
  for (const item of batches.flatMap((batch) => batch.items)) {
    const file = ChangedFile.safeParse(item)
    if (file.success) files.set(file.data.filePath, file.data)
    else
      warnings.add(`A changed file was left out: ${file.error.issues[0]?.message ?? 'unreadable'}`)
  }
  for (const file of files.values()) {
    const written = await savepoint(tx, () => writeFile(tx, objective, file))
    if (!written.ok) warnings.add(`The changed file ${file.filePath} could not be stored`)
  }
  if (batches.length === 0) return
  await tx
    .updateTable('ledger_batches')
    .set({ drained_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
    .where(
      'batch_id',
      'in',
      batches.map((batch) => batch.batch_id),
    )
    .execute()
}

async function writeFile(tx: Tx, objective: ObjectiveRow, file: ChangedFile): Promise<void> {
  const seen = { vcs_status: file.vcsStatus, observed_at: sql<Date>`app.now()` }
  await tx
    .insertInto('changed_files')
    .values({
      ...seen,
      workspace_id: objective.workspace_id,
      mission_id: objective.mission_id,
      objective_id: objective.id,
      file_path: file.filePath,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'objective_id', 'file_path'])
        .doUpdateSet(seen),
    )
    .execute()
}
