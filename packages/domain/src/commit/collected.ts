import type { Database } from '@svc/db/database'
import type { Waiting } from '@svc/db/run-transaction'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Jobs, NewJob, QueueName } from '../jobs/jobs.ts'
import { type WaitingRows, createWaitingRows } from './waiting-rows.ts'

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
  },
  webhook_event: {
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

/** What was waiting to be written at some moment. */
export interface Mark {
  logged: Record<Log, readonly Row[]>
  waiting: ReturnType<WaitingRows['mark']>
  jobs: readonly { queue: QueueName; job: NewJob }[]
  writes: readonly Write[]
  revisions: ReadonlyMap<string, number>
}

type Write = readonly [name: string, write: RawBuilder<unknown>]

/**
 * What a transaction tells of itself: history, feed, outbox, audit trail, jobs, and the answer under its idempotency key; and
 * whatever else nothing in the same call reads again. It is gathered while the use case runs and written in one
 * statement that rides with the commit, so that it is there if and only if the change is. What a savepoint undid is
 * dropped with it.
 */
export interface Collected extends Waiting {
  add<L extends Log>(log: L, row: LogRow<L>): void
  addJob(queue: QueueName, job: NewJob): void
  rows: Pick<WaitingRows, 'insert' | 'move' | 'set' | 'moves'>
  /** What this transaction has made the revision of a mission, by its id. */
  revisions: Map<string, number>
  /** Named for whoever reads the statement. No two may touch the same row: they are parts of one. */
  addWrite(name: string, write: RawBuilder<unknown>): void
  mark(): Mark
  /** What was written since then is undone, so that it waits again. */
  rewind(mark: Mark): void
  /** Everything so far, which is then no longer waiting; nothing when there is nothing. */
  take(): RawBuilder<unknown> | undefined
}

export function createCollected(db: Database, jobs: Jobs): Collected {
  const logged: Record<Log, Row[]> = {
    mission_events: [],
    entity_changes: [],
    webhook_event: [],
    audit_trail: [],
  }
  const newJobs: { queue: QueueName; job: NewJob }[] = []
  const rows = createWaitingRows()
  const revisions = new Map<string, number>()
  const writes: Write[] = []

  const take = () => {
    const parts: Write[] = rows.take()
    for (const log of logNames) {
      if (logged[log].length > 0) parts.push([log, insertInto(log, logged[log].splice(0))])
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
    // numbered, so that several of one kind have the same text in every transaction
    for (const [n, [name, write]] of writes.splice(0).entries()) parts.push([`${name}_${n}`, write])
    if (parts.length === 0) return undefined
    const named = parts.map(([name, write]) => sql`${sql.id(name)} as (${write})`)
    return sql`with ${sql.join(named)} select`
  }

  return {
    add: (log, row) => void logged[log].push(row),
    addJob: (queue, job) => void newJobs.push({ queue, job }),
    rows,
    revisions,
    addWrite: (name, write) => void writes.push([name, write]),
    mark: () => ({
      logged: {
        mission_events: [...logged.mission_events],
        entity_changes: [...logged.entity_changes],
        webhook_event: [...logged.webhook_event],
        audit_trail: [...logged.audit_trail],
      },
      jobs: [...newJobs],
      waiting: rows.mark(),
      writes: [...writes],
      revisions: new Map(revisions),
    }),
    rewind(mark) {
      for (const log of logNames) logged[log].splice(0, Infinity, ...mark.logged[log])
      newJobs.splice(0, Infinity, ...mark.jobs)
      rows.rewind(mark.waiting)
      writes.splice(0, Infinity, ...mark.writes)
      revisions.clear()
      for (const [id, revision] of mark.revisions) revisions.set(id, revision)
    },
    take,
    beforeCommit: (): CompiledQuery | undefined => take()?.compile(db),
  }
}

// the keys of an object literal are these
const logNames = Object.keys(columnTypes) as Log[]

/** One array a column, so that the text is the same for any number of rows. Their order is that of the arrays. */
function insertInto(log: Log, rows: readonly Row[]): RawBuilder<unknown> {
  const columns = Object.entries(columnTypes[log])
  const names = columns.map(([name]) => sql.id(name))
  const values = columns.map(([name, type]) => {
    const column = rows.map((row) => row[name] ?? null)
    return sql`${column}::${sql.raw(type)}[]`
  })
  return sql`
    insert into ${sql.table(log)} (${sql.join(names)}) select * from unnest(${sql.join(values)})`
}
