import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { type QueueName, jobRows, queues } from '../jobs/jobs.ts'

/** What the whole service has to do now, over all workspaces. What there is more of than `most` is counted as that many. */
export interface ServiceWork {
  /** Runs that are not over, by what they are in. */
  runs: { status: string; count: number }[]
  /** Of the runs that a runner may take now: how long the oldest has waited; null where there is none. */
  oldestQueuedSeconds: number | null
  /** What may be done now by the dispatcher. */
  due: { queue: string; count: number; oldestSeconds: number }[]
  /** How long the oldest transaction has been open that anybody has in this database. */
  oldestTransactionSeconds: number
  databaseBytes: number
  /** The tables that vacuum is furthest behind with. */
  deadRows: { table: string; count: number }[]
}

const most = 10_000

/** Each part reads what is waiting, by an index that holds no other rows, and never more than `most` of it. */
export async function readWork(db: Queryable): Promise<ServiceWork> {
  const { rows: runs } = await sql<ServiceWork['runs'][number]>`
    select status, count(*)::int as count from (
      (select 'queued' as status from execution_requests where status = 'queued' limit ${most})
      union all
      (select coalesce(outcome, status) from execution_requests
        where status in ('claimed', 'launching', 'launched') and ended_at is null limit ${most})) live
     group by status order by status`.execute(db)
  const { rows: queued } = await sql<{ seconds: number | null }>`
    select extract(epoch from app.now() - min(since))::float8 as seconds from (
      select greatest(created_at, run_after) as since from execution_requests
       where status = 'queued' and run_after <= app.now() limit ${most}) due`.execute(db)
  const due = [
    await readJobs(db, queues.webhookEvent),
    await readDeliveries(db),
    await readJobs(db, queues.presentation),
  ]
  const {
    rows: [server],
  } = await sql<{ transaction: number; bytes: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as transaction,
           pg_database_size(current_database())::float8 as bytes
      from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    db,
  )
  const { rows: deadRows } = await sql<ServiceWork['deadRows'][number]>`
    select relname as "table", n_dead_tup::float8 as count from pg_stat_user_tables
     where n_dead_tup > 0 order by n_dead_tup desc, relname limit 10`.execute(db)
  return {
    runs,
    oldestQueuedSeconds: queued[0]?.seconds ?? null,
    due,
    oldestTransactionSeconds: server?.transaction ?? 0,
    databaseBytes: server?.bytes ?? 0,
    deadRows,
  }
}

type Due = ServiceWork['due'][number]
interface DueRow {
  count: number
  seconds: number | null
}

/** Jobs that are due as soon as they are there. */
async function readJobs(db: Queryable, queue: QueueName): Promise<Due> {
  const { rows } = await sql<DueRow>`
    select count(*)::int as count, extract(epoch from ${jobRows.now} - min(due_at))::float8 as seconds from (
      select ${jobRows.dueAt} as due_at from ${jobRows.table} where ${jobRows.of(queue)} and ${jobRows.isDue} limit ${most}) due`.execute(
    db,
  )
  return dueOf(queue, rows)
}

/** From their own rows, which an index has by the time: most jobs of deliveries may wait for a time to come. */
async function readDeliveries(db: Queryable): Promise<Due> {
  const { rows } = await sql<DueRow>`
    select count(*)::int as count, extract(epoch from app.now() - min(next_attempt_at))::float8 as seconds from (
      select next_attempt_at from webhook_deliveries
       where state = 'pending' and next_attempt_at <= app.now() limit ${most}) due`.execute(db)
  return dueOf(queues.webhookDelivery, rows)
}

function dueOf(queue: QueueName, [row]: readonly DueRow[]): Due {
  return { queue, count: row?.count ?? 0, oldestSeconds: row?.seconds ?? 0 }
}
