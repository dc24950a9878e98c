import { type RawBuilder, sql } from 'kysely'
import { subscribes } from '../events/subscribes.ts'
import { type Jobs, queues } from '../jobs/jobs.ts'

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

export type Log = keyof typeof columnTypes
/** The values as the database takes them; jsonb as text. */
export type LogRow<L extends Log> = Record<keyof (typeof columnTypes)[L], string | null>
export type Row = Record<string, string | null>

/** A part of a statement, named for whoever reads it, and as no table is: a statement may read tables next to it. */
export type Write = readonly [name: string, write: RawBuilder<unknown>]

// the keys of an object literal are these
export const logNames = Object.keys(columnTypes) as Log[]

/** What adds these rows; what follows from some of them is added with them. */
export function writesOf(log: Log, rows: readonly Row[], jobs: Jobs): Write[] {
  return log === 'webhook_events'
    ? insertEvents(jobs, rows)
    : [[`new_${log}`, insertInto(log, rows)]]
}

function insertInto(log: Log, rows: readonly Row[]): RawBuilder<unknown> {
  const { names, values } = columnsOf(log, rows)
  return sql`insert into ${sql.table(log)} (${names}) select * from ${values}`
}

/** One that no webhook is to hear of has been handed on with that, and leaves no job. */
function insertEvents(jobs: Jobs, rows: readonly Row[]): Write[] {
  const { names, values } = columnsOf('webhook_events', rows)
  const isAwaited = sql`exists (select from webhook_subscriptions s where ${subscribes})`
  // PostgreSQL takes an array for ten rows, and would plan anew each time for what it then takes for fewer
  const howMany = rows.length < 4 ? sql`limit ${sql.lit(rows.length)}` : sql``
  const events = sql`
    insert into webhook_events (${names}, fanned_out_at)
    select e.*, case when not ${isAwaited} then app.now() end from (select * from ${values} ${howMany}) as e(${names})
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
