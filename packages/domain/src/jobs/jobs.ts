import { ServiceError } from '@svc/contracts/errors'
import type { Database, Queryable, Tx } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { PgBoss, fromKysely } from 'pg-boss'
import { v5 } from 'uuid'
import { z } from 'zod'
import type { DomainLog } from '../common/log.ts'

/** The only module that knows pg-boss. Job data is ids; the truth stands in our own rows. */
export const queues = {
  webhookEvent: 'webhook.event',
  webhookDelivery: 'webhook.delivery',
  presentation: 'presentation',
} as const
export type QueueName = (typeof queues)[keyof typeof queues]

const schema = 'pgboss'

/** What the queue keeps of its own: the jobs, and the version of its schema in the one row of a table. */
export const queueTables = {
  jobs: `${schema}.job`,
  workspaceOfJob: "data->>'workspaceId'",
  version: `${schema}.version`,
} as const

const table = sql.raw(`${queueTables.jobs} j`)
const now = sql.raw(`${schema}.job_now()`)
const liveStates = sql`('created', 'retry', 'active')`

/**
 * The rows of the jobs, for statements that change them together with our own; `j` is one. Such a statement may name its
 * `id`, `data`, `group_id` and `retry_count`, which counts the claims from 0: together with the id it is the fence. What
 * is written here is what pg-boss writes, and a test holds the two against each other.
 */
export const jobRows = {
  /** To be selected from, updated, or deleted from. */
  table,
  /** The queue's clock. */
  now,
  of: (queue: QueueName) => sql`j.name = ${sql.lit(queue)}`,
  isLive: sql`j.state in ${liveStates}`,
  isClaimed: sql`j.state = 'active'`,
  isDue: sql`j.state < 'active' and not j.blocked
         and j.start_after <= ${now}`,
  /** When it is, or was, due. */
  dueAt: sql`j.start_after`,
  /** The order in which due jobs are claimed. */
  turn: sql`j.priority desc, j.created_on`,
  /** What a claim sets. */
  claim: sql`
  state = 'active', started_on = ${now}, heartbeat_on = ${now},
  retry_count = case when j.started_on is not null then j.retry_count + 1 else j.retry_count end`,
  /** Inserts what `rows` names by id, data, group_id, expire_seconds and start_after, with the queue's own settings. */
  insert: (queue: QueueName, rows: RawBuilder<unknown>) => sql`
  insert into ${sql.raw(queueTables.jobs)} (id, name, data, start_after, created_on, group_id, expire_seconds, deletion_seconds,
                          keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
                          heartbeat_seconds)
  select n.id, q.name, n.data, n.start_after, ${now}, n.group_id, n.expire_seconds, q.deletion_seconds,
         n.start_after + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay,
         coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    from (${rows}) n
    join ${sql.raw(`${schema}.queue`)} q on q.name = ${sql.lit(queue)}
  on conflict do nothing`,
} as const

export interface NewJob {
  id: string
  data: object
  /** Seconds of the database's clock until it is due; now when left out. */
  startAfter?: number
  /** Jobs of one group can be kept to a number at a time when fetched. */
  group?: string
  /** How many seconds a claim of this job is good for; the queue's default when left out. */
  lease?: number
}

/** A claimed job. `claim` counts the claims since its insert, from 0: together with the id it is the fence. */
export interface ClaimedJob {
  id: string
  claim: number
  data: unknown
  group: string | null
}
export type JobClaim = Pick<ClaimedJob, 'id' | 'claim'>

export interface FetchOptions {
  limit: number
}

export interface Jobs extends AsyncDisposable {
  /** The statement of an insert, to be written as part of another one. An id is used once. */
  inserting(queue: QueueName, jobs: readonly NewJob[]): RawBuilder<unknown>
  /** The same of jobs that are due now, whose `id` and `data` the rows of a query name. */
  insertingFrom(queue: QueueName, rows: RawBuilder<unknown>): RawBuilder<unknown>
  /** Written in the caller's transaction: there after its commit, gone with its rollback. An id is used once. */
  insert(tx: Tx, queue: QueueName, jobs: NewJob | readonly NewJob[]): Promise<void>
  /** Claims what is due. A claim that is not ended within its lease is given to the next. */
  fetch(queue: QueueName, options: FetchOptions): Promise<ClaimedJob[]>
  /** Deletes those that are still claimed as given, and answers their ids; of the others nothing is touched. */
  finish(tx: Tx, queue: QueueName, claims: readonly JobClaim[]): Promise<Set<string>>
  /** Gives a claim back: the same job is due again after so many seconds. False when it was ours no more. */
  release(tx: Tx, queue: QueueName, claim: JobClaim, seconds: number): Promise<boolean>
  /** Those of the ids whose job waits or is claimed. */
  live(db: Queryable, queue: QueueName, ids: readonly string[]): Promise<Set<string>>
  /** Takes lapsed claims back now, in place of at the next interval. */
  supervise(): Promise<void>
}

export interface JobsOptions {
  db: Database
  log: DomainLog
  /** Takes lapsed claims back every so many seconds. Left to those who work on the jobs. */
  superviseSeconds?: number | undefined
}

export async function openJobs({ db, log, superviseSeconds }: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({
    db: fromKysely(transactionLike(db)),
    schema,
    migrate: false,
    createSchema: false,
    supervise: superviseSeconds !== undefined,
    ...(superviseSeconds !== undefined && {
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
    }),
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  if (!(await boss.isInstalled())) {
    throw new ServiceError('unavailable', 'The database is empty: run svc-admin migrate first.')
  }
  await boss.start()
  const inserts = await readInserts(boss)
  return {
    inserting: (queue, jobs) => inserts[queue](sql`${JSON.stringify(jobs.map(toRecord))}`),
    insertingFrom: (queue, rows) =>
      inserts[queue](sql`(select coalesce(json_agg(r), '[]')::text from (${rows}) r)`),
    async insert(tx, queue, jobs) {
      const rows = [jobs].flat().map(toInsert)
      if (rows.length > 0) await boss.insert(queue, rows, within(tx))
    },
    async fetch(queue, { limit }) {
      const found = await boss.fetch<unknown>(queue, { batchSize: limit })
      return found.map((job) => ({
        id: job.id,
        claim: job.retryCount,
        data: job.data,
        group: job.groupId ?? null,
      }))
    },
    async finish(tx, queue, claims) {
      if (claims.length === 0) return new Set()
      const answer = await boss.deleteJob(queue, claims.map(toAttempt), within(tx))
      return new Set(Settled.parse(answer).settled)
    },
    async release(tx, queue, claim, seconds) {
      const answer = await boss.fail(queue, [toAttempt(claim)], null, within(tx))
      if (Settled.parse(answer).settled.length === 0) return false
      await boss.update(queue, undefined, { id: claim.id, startAfter: seconds, ...within(tx) })
      return true
    },
    async live(db, queue, ids) {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.raw(queueTables.jobs)}
         where name = ${queue} and id = any(${ids}::uuid[]) and state in ${liveStates}`.execute(db)
      return new Set(rows.map((row) => row.id))
    },
    supervise: () => boss.supervise(),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: false }),
  }
}

type Insert = (records: RawBuilder<unknown>) => RawBuilder<unknown>

/** The library's own text for an insert into each queue, read once: it takes its rows as one list of records. */
async function readInserts(boss: PgBoss): Promise<Record<QueueName, Insert>> {
  const read = async (queue: QueueName) => {
    let text = ''
    const executeSql = async (asked: string) => {
      text = asked
      return { rows: [] }
    }
    await boss.insert(queue, [{ data: {} }], { db: { executeSql } })
    const [before, after, ...more] = text.split('$1')
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error('the job queue inserts in another way than this version knows')
    }
    return [
      queue,
      (records: RawBuilder<unknown>) => sql`${sql.raw(before)}${records}${sql.raw(after)}`,
    ] as const
  }
  // one entry for each queue
  return Object.fromEntries(await Promise.all(Object.values(queues).map(read))) as Record<
    QueueName,
    Insert
  >
}

/** What a fenced call answers; the library leaves its type empty. */
const Settled = z.object({
  settled: z
    .array(z.string())
    .nullish()
    .transform((ids) => ids ?? []),
})

function toInsert(job: NewJob) {
  const { id, data, startAfter, group, lease } = job
  return {
    id,
    data,
    ...(startAfter !== undefined && { startAfter }),
    ...(group !== undefined && { group: { id: group } }),
    ...(lease !== undefined && { expireInSeconds: lease }),
  }
}

/** As the library spells a row of its insert. */
function toRecord(job: NewJob) {
  const { group, ...rest } = toInsert(job)
  return { ...rest, ...(group && { groupId: group.id }) }
}

function toAttempt({ id, claim }: JobClaim) {
  return { id, retryCount: claim }
}

/** An id that the owner's id and a name make: the same for everybody who makes it, and never another's. */
export function jobId(owner: string, name: string): string {
  return v5(name, owner)
}

type TransactionLike = Parameters<typeof fromKysely>[0]

/** pg-boss only ever runs `executeQuery`, which both shapes have. */
function transactionLike(db: Database | Tx): TransactionLike {
  return db as unknown as TransactionLike
}

function within(tx: Tx) {
  return { db: fromKysely(transactionLike(tx)) }
}

/** The queue's own schema and its queues; run by `svc-admin migrate` alone. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema,
    supervise: false,
    schedule: false,
    max: 1,
  })
  boss.on('error', () => undefined) // `start` rejects with the same error
  await boss.start()
  try {
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
    for (const [name, options] of Object.entries(queueOptions)) {
      if (!existing.has(name)) await boss.createQueue(name, { partition: true, ...options })
    }
  } finally {
    await boss.stop({ graceful: false, close: true })
  }
}

/** `partition`: a table of its own, so that one queue's rows do not slow another's. */
const queueOptions = {
  [queues.webhookEvent]: { retryLimit: 20, retryDelay: 5, expireInSeconds: 60 },
  [queues.webhookDelivery]: { retryLimit: 1000, retryDelay: 0, expireInSeconds: 25 },
  [queues.presentation]: { retryLimit: 3, retryDelay: 0, expireInSeconds: 120 },
} as const satisfies Record<QueueName, object>
