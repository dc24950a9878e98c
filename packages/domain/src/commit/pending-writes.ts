import type { Database } from '@svc/db/database'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { subscribes } from '../events/subscribes.ts'
import { type Jobs, type NewJob, type QueueName, queues } from '../jobs/jobs.ts'
import { type PendingRows, createPendingRows } from './pending-rows.ts'

/** Rows that are only ever added, with the type of each column that is written. */
const columnTypes = {
  mission_events: {
    workspace_id: 'uuid',
    id: 'uuid',
    mission_id: 'uuid',
    objective_id: 'uuid',
    type: 'text',
    summary: 'text',
    data: 'jsonb',
    actor_id: 'uuid',
    actor_role: 'text',
  },
  entity_changes: {
    workspace_id: 'uuid',
    project_id: 'uuid',
    mission_id: 'uuid',
    entity: 'text',
    entity_id: 'uuid',
    operation: 'text',
    data: 'jsonb',
    user_id: 'uuid',
    revision: 'integer',
  },
  webhook_events: {
    workspace_id: 'uuid',
    id: 'uuid',
    project_id: 'uuid',
    mission_id: 'uuid',
    type: 'text',
    snapshot: 'jsonb',
  },
  audit_trail: {
    workspace_id: 'uuid',
    id: 'uuid',
    actor_id: 'uuid',
    by_kind: 'text',
    token_id: 'uuid',
    execution_request_id: 'uuid',
    token_prefix: 'text',
    came_from: 'text',
    action: 'text',
    project_id: 'uuid',
    target_id: 'uuid',
    details: 'jsonb',
  },
} as const

type Log = keyof typeof columnTypes
/** The values as the database takes them; jsonb as text. */
type LogRow<L extends Log> = Record<keyof (typeof columnTypes)[L], string | null>
type Row = Record<string, string | null>

type Write = readonly [name: string, write: RawBuilder<unknown>]

/**
 * What a transaction changes, and what it records of that: history, feed, outbox, audit trail, jobs, and the answer under
 * its idempotency key. All that is pending is flushed as one statement, before the next statement of the transaction or
 * with its commit: it is there if and only if the change is, and whatever reads later finds it.
 */
export interface PendingWrites extends PendingRows {
  append<L extends Log>(log: L, row: LogRow<L>): void
  addJob(queue: QueueName, job: NewJob): void
  /** Named for whoever reads the statement. No two may touch the same row: they are parts of one. */
  addStatement(name: string, write: RawBuilder<unknown>): void
  /**
   * Written with the commit, after all else and each by itself: for rows that many transactions share, so that none of them
   * waits for a row of another while it holds one of these. They are locked in the order of their names; several of one
   * name write the same row. Parts of one statement would have no order, and could not write a row twice.
   */
  addLast(row: string, write: RawBuilder<unknown>): void
  /** What this transaction has made the revision of a mission, by its id. */
  revisions: Map<string, number>
}

/** For the transaction that owns them. */
export interface PendingStore {
  writes: PendingWrites
  /**
   * Everything so far, which is then pending no longer, as one statement; none when there is nothing. What is written last
   * follows it once the transaction commits.
   */
  take: (commits: boolean) => CompiledQuery[]
  /** How much is written last, so that what a part has added can be taken back. */
  countLast: () => number
  /** How many have come in all. */
  count: () => number
  /** What is pending will not be written; of what is written last so much stays. */
  drop: (keptLast: number) => void
}

export function createPendingStore(db: Database, jobs: Jobs, flush: () => void): PendingStore {
  const logged: Record<Log, Row[]> = {
    mission_events: [],
    entity_changes: [],
    webhook_events: [],
    audit_trail: [],
  }
  const newJobs: { queue: QueueName; job: NewJob }[] = []
  const { rows, ...pendingRows } = createPendingRows(flush)
  const statements: Write[] = []
  const last: Write[] = []
  let count = 0

  const takeParts = () => {
    const parts: Write[] = pendingRows.take()
    for (const log of logNames) {
      const rows = logged[log].splice(0)
      if (rows.length === 0) continue
      if (log === 'webhook_events') parts.push(...insertEvents(jobs, rows))
      else parts.push([log, insertInto(log, rows)])
    }
    const byQueue = Map.groupBy(newJobs.splice(0), ({ queue }) => queue)
    for (const [queue, ofQueue] of byQueue) {
      parts.push([
        queue,
        jobs.inserting(
          queue,
          ofQueue.map(({ job }) => job),
        ),
      ])
    }
    return [...parts, ...numbered(statements.splice(0))]
  }
  const compiled = (parts: readonly Write[]) => {
    if (parts.length === 0) return []
    const named = parts.map(([name, write]) => sql`${sql.id(name)} as (${write})`)
    return [sql`with ${sql.join(named)} select`.compile(db)]
  }

  return {
    writes: {
      insert(table, row) {
        count += 1
        rows.insert(table, row)
      },
      move(table, row, values) {
        count += 1
        return rows.move(table, row, values)
      },
      set(table, key, values) {
        count += 1
        rows.set(table, key, values)
      },
      add(table, key, amounts) {
        count += 1
        rows.add(table, key, amounts)
      },
      append(log, row) {
        count += 1
        logged[log].push(row)
      },
      addJob(queue, job) {
        count += 1
        newJobs.push({ queue, job })
      },
      addStatement(name, write) {
        count += 1
        statements.push([name, write])
      },
      addLast(row, write) {
        count += 1
        last.push([row, write])
      },
      revisions: new Map(),
    },
    take: (commits) => [
      ...compiled(takeParts()),
      ...(commits
        ? last
            .splice(0)
            .toSorted(byName)
            .map(([, write]) => write.compile(db))
        : []),
    ],
    countLast: () => last.length,
    count: () => count,
    drop(keptLast) {
      takeParts()
      last.splice(keptLast)
    },
  }
}

function byName([one]: Write, [other]: Write): number {
  return one < other ? -1 : Number(one > other)
}

/** So that several of one kind have the same text in every transaction. */
function numbered(writes: readonly Write[]): Write[] {
  return writes.map(([name, write], n) => [`${name}_${n}`, write])
}

// the keys of an object literal are these
const logNames = Object.keys(columnTypes) as Log[]

function insertInto(log: Log, rows: readonly Row[]): RawBuilder<unknown> {
  const { names, values } = columnsOf(log, rows)
  return sql`insert into ${sql.table(log)} (${names}) select * from ${values}`
}

/** One that no webhook is to hear of has been handed on with that, and leaves no job. */
function insertEvents(jobs: Jobs, rows: readonly Row[]): Write[] {
  const { names, values } = columnsOf('webhook_events', rows)
  const isAwaited = sql`exists (select from webhook_subscriptions s where ${subscribes})`
  // PostgreSQL takes an array for ten rows, and would plan anew each time for what it then takes for fewer
  const told = rows.length < 4 ? sql`limit ${sql.lit(rows.length)}` : sql``
  const events = sql`
    insert into webhook_events (${names}, fanned_out_at)
    select e.*, case when not ${isAwaited} then app.now() end from (select * from ${values} ${told}) as e(${names})
    returning workspace_id, id, fanned_out_at`
  const due = sql`
    select id, json_build_object('workspaceId', workspace_id, 'eventId', id) as data
      from published_events where fanned_out_at is null`
  return [
    ['published_events', events],
    [queues.webhookEvent, jobs.insertingFrom(queues.webhookEvent, due)],
  ]
}

/** One array a column, so that the text is the same for any number of rows. Their order is that of the arrays. */
function columnsOf(log: Log, rows: readonly Row[]) {
  const columns = Object.entries(columnTypes[log])
  const values = columns.map(([name, type]) => {
    const column = rows.map((row) => row[name] ?? null)
    return sql`${column}::${sql.raw(type)}[]`
  })
  return {
    names: sql.join(columns.map(([name]) => sql.id(name))),
    values: sql`unnest(${sql.join(values)})`,
  }
}
