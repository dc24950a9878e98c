import { echoed } from '@svc/contracts/echoed'
import { ChangedFile } from '@svc/contracts/change-rationale'
import { limits } from '@svc/contracts/limits'
import type { Queryable } from '@svc/db/database'
import type { LedgerBatchRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { savepoint } from '../commit/transaction.ts'
import type { Warnings } from '../common/warnings.ts'
import { writeTogether } from './write-together.ts'
import type { Ref } from '../common/ids.ts'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Batch = Pick<LedgerBatchRow, 'batch_id' | 'session_id' | 'seq' | 'part' | 'parts'> & {
  size: number
}

/** What is kept of changed files becomes the objective's evidence. A bad item is a warning and nothing more. */
export async function drainLedger(
  tx: UnitOfWork,
  objective: ObjectiveRow,
  warnings: Warnings,
): Promise<void> {
  const drained = await savepoint(tx, () => drainBatches(tx, objective, warnings))
  if (!drained.ok) warnings.add('The changed files could not be read from the ledger')
}

/** One of those that wait, if there is any. */
export function selectWaitingBatches(db: Queryable, objective: Ref) {
  return db
    .selectFrom('ledger_batches')
    .select('batch_id')
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
    .where('drained_at', 'is', null)
    .limit(1)
}

async function drainBatches(
  tx: UnitOfWork,
  objective: ObjectiveRow,
  warnings: Warnings,
): Promise<void> {
  const batches = await takeBatches(tx, objective)
  const sessions = [...Map.groupBy(batches, (batch) => batch.session_id).values()]
  const reported = sessions.flatMap(sinceLastWholeLook)
  const read = newestWithin(limits.changedFilesPerObjective, reported)
  if (read.length < reported.length) {
    warnings.add(
      `Only the last ${limits.changedFilesPerObjective} changed files that were reported are kept`,
    )
  }
  const files = await readFiles(tx, objective, read, warnings)
  await writeTogether(
    tx,
    files,
    (part) => insertFiles(tx, objective, part),
    ({ filePath }) => warnings.add(`The changed file ${filePath} could not be stored`),
  )
}

/** All that came since the last time, in the order of the sessions and of what each of them reported. */
async function takeBatches(tx: Tx, objective: ObjectiveRow): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    with taken as (
      update ledger_batches set drained_at = app.now()
       where workspace_id = ${objective.workspace_id} and objective_id = ${objective.id}
         and drained_at is null
      returning *)
    select t.batch_id, t.session_id, t.seq, t.part, t.parts, jsonb_array_length(t.items) as size
      from taken t
      join agent_sessions s on s.workspace_id = t.workspace_id and s.id = t.session_id
     order by s.seq, t.seq, t.received_at`.execute(tx)
  return rows
}

/** The last whole look at the checkout in one session, of which every part came, and what was reported after it. */
function sinceLastWholeLook(batches: readonly Batch[]): readonly Batch[] {
  const looks = Map.groupBy(batches, ({ seq, part }) => (part === null ? null : seq - part + 1))
  const whole = [...looks].flatMap(([first, parts]) =>
    first !== null && new Set(parts.map(({ part }) => part)).size === parts[0]?.parts
      ? [first]
      : [],
  )
  const start = Math.max(0, ...whole)
  return batches.filter(({ seq }) => seq >= start)
}

function newestWithin(most: number, batches: readonly Batch[]): Batch[] {
  let sum = 0
  const isOver = batches.toReversed().map(({ size }) => (sum += size) > most)
  const count = isOver.indexOf(true)
  return count === -1 ? [...batches] : batches.slice(batches.length - count)
}

/** The last observation of each path. */
async function readFiles(
  tx: Tx,
  objective: ObjectiveRow,
  batches: readonly Batch[],
  warnings: Warnings,
): Promise<ChangedFile[]> {
  const { rows } = await sql<{ items: unknown[] }>`
    select b.items from ledger_batches b
      join unnest(${batches.map((batch) => batch.batch_id)}::uuid[]) with ordinality as t(id, nth)
        on t.id = b.batch_id
     where b.workspace_id = ${objective.workspace_id} and b.objective_id = ${objective.id}
     order by t.nth`.execute(tx)
  const files = new Map<string, ChangedFile>()
  for (const item of rows.flatMap((row) => row.items)) {
    const file = ChangedFile.safeParse(item)
    if (file.success) files.set(file.data.filePath, file.data)
    else
      warnings.add(
        `A changed file was left out: ${echoed(file.error.issues[0]?.message ?? 'unreadable')}`,
      )
  }
  return [...files.values()]
}

function insertFiles(
  tx: Tx,
  objective: ObjectiveRow,
  files: readonly ChangedFile[],
): Promise<unknown> {
  const rows = files.map(({ filePath, vcsStatus }) => ({
    workspace_id: objective.workspace_id,
    mission_id: objective.mission_id,
    objective_id: objective.id,
    file_path: filePath,
    vcs_status: vcsStatus,
    observed_at: sql<Date>`app.now()`,
  }))
  return tx
    .insertInto('changed_files')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'objective_id', 'file_path'])
        .doUpdateSet((row) => ({
          vcs_status: row.ref('excluded.vcs_status'),
          observed_at: row.ref('excluded.observed_at'),
        })),
    )
    .execute()
}
