import type { Database } from '@svc/db/database'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Jobs, NewJob, QueueName } from '../jobs/jobs.ts'
import { type Log, type LogRow, type Row, type Write, logNames, writesOf } from './log-rows.ts'
import { type PendingRows, createPendingRows } from './pending-rows.ts'

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
  /** The same for whoever makes a statement of these parts. */
  takeParts: () => RawBuilder<unknown> | undefined
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

  const take = () => {
    const parts: Write[] = pendingRows.take()
    for (const log of logNames) {
      const rows = logged[log].splice(0)
      if (rows.length > 0) parts.push(...writesOf(log, rows, jobs))
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
  const takeParts = () => {
    const named = take().map(([name, write]) => sql`${sql.id(name)} as (${write})`)
    return named.length > 0 ? sql.join(named) : undefined
  }
  const compiled = (parts: RawBuilder<unknown> | undefined) =>
    parts ? [sql`with ${parts} select`.compile(db)] : []

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
    takeParts,
    countLast: () => last.length,
    count: () => count,
    drop(keptLast) {
      take()
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
