import { isDeepStrictEqual } from 'node:util'
import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { ObjectiveRow, ProjectRow, RunQueueEntryRow, RunQueueRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordChange } from '../commit/records.ts'
import { channels } from '../jobs/wake-hub.ts'
import { notFound } from '../common/errors.ts'
import { type Ref, newId } from '../common/ids.ts'
import { type Entry, type Queue, isDue, settle } from '../entities/run-queues/queue.ts'
import type { Tx } from '@svc/db/database'
import { type UnitOfWork, wakeAfterCommit } from '../commit/unit-of-work.ts'
import { settleNotices } from '../notifications/settle.ts'

/** The queue with its entries, without a lock; `lockQueue` reads it with one. */
export async function readQueue(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Queue | undefined> {
  const found = await selectQueue(workspaceId, id).execute(db)
  return found.rows[0] && withEntries(db, found.rows[0])
}

/** The last lock that a use case takes: mission, objective, request and session come before. */
export async function lockQueue(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<Queue | undefined> {
  const locked = await selectQueue(workspaceId, id, sql`for no key update of q`).execute(tx)
  return locked.rows[0] && withEntries(tx, locked.rows[0])
}

type Read = RunQueueRow & Pick<Queue, 'project' | 'now'>

function selectQueue(workspaceId: string, id: string, lock = sql``) {
  return sql<Read>`
    select q.*, app.now() as now, (
        select slug from projects p
         where p.workspace_id = q.workspace_id and p.id = q.project_id) as project
      from run_queues q
     where q.workspace_id = ${workspaceId} and q.id = ${id} ${lock}`
}

async function withEntries(db: Queryable, { now, project, ...row }: Read): Promise<Queue> {
  const { rows } = await sql<RunQueueEntryRow>`
    select * from run_queue_entries
     where workspace_id = ${row.workspace_id} and run_queue_id = ${row.id}
     order by position`.execute(db)
  return { row, entries: rows, project, now }
}

export async function requireLockedQueue(tx: Tx, workspaceId: string, id: string): Promise<Queue> {
  const queue = await lockQueue(tx, workspaceId, id)
  if (!queue) throw notFound('run queue', id)
  return queue
}

/** Those who lock several do so in the order of their ids. */
export async function lockQueues(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Queue>> {
  const locked = new Map<string, Queue>()
  for (const id of new Set(ids.toSorted())) {
    const queue = await lockQueue(tx, workspaceId, id)
    if (queue) locked.set(id, queue)
  }
  return locked
}

/** The queue that an entry is in, with the entry as it is now. Nothing when it has gone meanwhile. */
export async function lockQueueOf(
  tx: Tx,
  found: Entry | undefined,
): Promise<{ queue: Queue; entry: Entry } | undefined> {
  if (!found) return undefined
  const queue = await lockQueue(tx, found.workspace_id, found.run_queue_id)
  const entry = queue?.entries.find((one) => one.id === found.id)
  if (queue && entry) return { queue, entry }
  // it went with all entries of a queue that was deleted to another one
  const { rows } = await sql<Entry>`
    select * from run_queue_entries
     where workspace_id = ${found.workspace_id} and id = ${found.id}`.execute(tx)
  return lockQueueOf(tx, rows[0])
}

type OfObjective = Pick<ObjectiveRow, 'workspace_id' | 'id'>

export function selectEntryOf(db: Queryable, objective: Ref) {
  return db
    .selectFrom('run_queue_entries')
    .selectAll()
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
}

export function findEntryOf(db: Queryable, objective: OfObjective): Promise<Entry | undefined> {
  return selectEntryOf(db, objective).executeTakeFirst()
}

/** The entries of the objectives of one mission. */
export function selectEntriesOf(db: Queryable, mission: Ref) {
  return db
    .selectFrom('run_queue_entries')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
}

export async function requireEntry(db: Queryable, workspaceId: string, id: string): Promise<Entry> {
  const entry = await db
    .selectFrom('run_queue_entries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!entry) throw notFound('queue entry', id)
  return entry
}

type OfProject = Pick<ProjectRow, 'workspace_id' | 'id'>

export function listQueueRows(db: Queryable, project: OfProject): Promise<RunQueueRow[]> {
  return db
    .selectFrom('run_queues')
    .selectAll()
    .where('workspace_id', '=', project.workspace_id)
    .where('project_id', '=', project.id)
    .orderBy('position')
    .execute()
}

export async function requireQueueRow(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<RunQueueRow> {
  const row = await db
    .selectFrom('run_queues')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('run queue', id)
  return row
}

/** By id or name; the default one when none is named. */
export async function chooseQueueRow(
  db: Queryable,
  project: OfProject,
  ref: string | undefined,
): Promise<RunQueueRow> {
  const rows = await listQueueRows(db, project)
  const chosen = rows.find((row) => {
    if (ref === undefined) return row.is_default
    return isUuid(ref) ? row.id === ref : row.name.toLowerCase() === ref.toLowerCase()
  })
  if (!chosen) throw notFound('run queue', ref ?? 'default')
  return chosen
}

export function insertQueue(
  tx: Tx,
  project: OfProject,
  queue: { name: string; position: number; createdBy: string },
): Promise<RunQueueRow> {
  return tx
    .insertInto('run_queues')
    .values({
      workspace_id: project.workspace_id,
      id: newId(),
      project_id: project.id,
      name: queue.name,
      position: queue.position,
      is_default: queue.position === 1,
      created_by: queue.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface QueueChange {
  operation: string
  /** What the feed tells of it besides. */
  more?: Record<string, unknown>
}

/** Writes what differs. The queue is locked, and `before` is what was read under the lock. */
export async function saveQueue(
  tx: UnitOfWork,
  before: Queue,
  wanted: Queue,
  change: string | QueueChange,
): Promise<Queue> {
  const after = settle(wanted)
  const had = new Map(before.entries.map((one) => [one.id, one]))
  const has = new Set(after.entries.map((one) => one.id))
  const gone = [...had.keys()].filter((id) => !has.has(id))
  const changed = after.entries.filter((one) => differs(one, had.get(one.id)))
  if (gone.length === 0 && changed.length === 0 && !differs(after.row, before.row)) return before
  if (gone.length > 0) await deleteEntries(tx, before.row, gone)
  if (changed.length > 0) await writeEntries(tx, changed)
  const { rows } = await sql<RunQueueRow>`
    update run_queues
       set paused_at = ${after.row.paused_at}, paused_by = ${after.row.paused_by},
           pause_reason = ${after.row.pause_reason}, name = ${after.row.name},
           advance_pending_since = ${after.row.advance_pending_since},
           addressed_to = ${after.row.addressed_to}, revision = revision + 1
     where workspace_id = ${before.row.workspace_id} and id = ${before.row.id}
    returning *`.execute(tx)
  const saved = { ...after, row: rows[0] ?? after.row }
  const wasResumed = before.row.paused_at !== null && after.row.paused_at === null
  if (wasResumed) settleNotices(tx, ['queue_paused'], before.row.workspace_id, [before.row.id])
  const { operation, more }: QueueChange =
    typeof change === 'string' ? { operation: change } : change
  recordQueueChange(tx, saved.row, operation, more)
  if (isDue(saved)) wakeAfterCommit(tx, channels.queues)
  return saved
}

export function recordQueueChange(
  tx: UnitOfWork,
  row: RunQueueRow,
  operation: string,
  more: Record<string, unknown> = {},
): void {
  recordChange(tx, { run_queue: row }, operation, {
    ...more,
    revision: row.revision,
    pauseReason: row.pause_reason,
  })
}

function differs(one: object, other: object | undefined): boolean {
  return !isDeepStrictEqual(one, other)
}

async function deleteEntries(tx: Tx, { workspace_id }: RunQueueRow, ids: string[]): Promise<void> {
  await tx
    .deleteFrom('run_queue_entries')
    .where('workspace_id', '=', workspace_id)
    .where('id', 'in', ids)
    .execute()
}

/** New ones and changed ones alike, in one statement however many change their positions. */
async function writeEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await sql`
    insert into run_queue_entries
    select * from jsonb_populate_recordset(null::run_queue_entries, ${JSON.stringify(entries)}::jsonb)
    on conflict (workspace_id, id) do update
       set run_queue_id = excluded.run_queue_id, position = excluded.position,
           state = excluded.state, reason = excluded.reason, waiting_on = excluded.waiting_on,
           attempt = excluded.attempt, turn_granted_by = excluded.turn_granted_by,
           execution_request_id = excluded.execution_request_id, held_since = excluded.held_since`.execute(
    tx,
  )
}
