import type {
  AgentSessionRow,
  DeliveryRow,
  ExecutionRequestRow,
  MissionRow,
  ObjectiveRow,
} from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'

interface Rows {
  missions: MissionRow
  objectives: ObjectiveRow
  execution_requests: ExecutionRequestRow
  agent_sessions: AgentSessionRow
  deliveries: DeliveryRow
}
type Table = keyof Rows
type Key = Record<'workspace_id' | 'id', string>

/** What is counted in a row, which only ever grows or shrinks by something. */
type Amounts<T extends Table> = { readonly [C in keyof Rows[T]]?: number | string | undefined }

/** A new row, or new values of one that is there. */
interface PendingRow {
  table: Table
  key: Key
  isNew: boolean
  values: Readonly<Record<string, unknown>>
  /** Added to what the columns hold by then. */
  added: readonly (readonly [column: string, amount: number | string])[]
}

/** Rows that are to be written, each once. Their order among each other is nobody's. */
export interface PendingRows {
  /** What is left out gets its column's default. */
  insert<T extends Table>(table: T, row: Key & Partial<Rows[T]>): void
  /** New values of a row that the caller has locked or inserted. Later ones join them. Answers the row as it will be. */
  move<T extends Table, R extends Rows[T]>(table: T, row: R, values: Partial<Rows[T]>): R
  /** The same for whoever knows the row by its key alone. */
  set<T extends Table>(table: T, key: Key, values: Partial<Rows[T]>): void
  /** Counts in a row that the caller has locked, whatever it was read as. The row must be there by then. */
  add<T extends Table>(table: T, key: Key, amounts: Amounts<T>): void
}

/** True where a row holds a slot of which there is one: that of a mission's serial objective. A new row may hold one, too. */
const slotColumns: Partial<Record<Table, string>> = { objectives: 'serial' }

/** `flush` sends what is pending: a row that takes a slot is written after the row of its table that leaves it. */
export function createPendingRows(flush: () => void) {
  const pending = new Map<string, PendingRow>()
  const makeRoom = (table: Table, { id }: Key) => {
    const mayLeave = (one: PendingRow) => !one.isNew && one.table === table && one.key.id !== id
    if (pending.values().some(mayLeave)) flush()
  }
  const pendingOf = (table: Table, key: Key): PendingRow =>
    pending.get(nameOf(table, key)) ?? {
      table,
      key: { workspace_id: key.workspace_id, id: key.id },
      isNew: false,
      values: {},
      added: [],
    }
  const set: PendingRows['set'] = (table, key, values) => {
    const given: Record<string, unknown> = values
    if (given[slotColumns[table] ?? ''] === true) makeRoom(table, key)
    const before = pendingOf(table, key)
    pending.set(nameOf(table, key), { ...before, values: { ...before.values, ...values } })
  }
  const rows: PendingRows = {
    insert(table, row) {
      makeRoom(table, row)
      pending.set(nameOf(table, row), { table, key: row, isNew: true, values: row, added: [] })
    },
    set,
    add(table, key, amounts) {
      const before = pendingOf(table, key)
      if (before.isNew) throw new Error(`a row of ${table} that is new holds what it begins with`)
      const added = Object.entries<number | string | undefined>(amounts)
        .filter(isSomething)
        .map(([column, amount]) => [column, amount] as const)
      if (added.length === 0) return
      pending.set(nameOf(table, key), { ...before, added: [...before.added, ...added] })
    },
    move(table, row, values) {
      set(table, row, values)
      return { ...row, ...values }
    },
  }
  return {
    rows,
    take(): [name: string, write: RawBuilder<unknown>][] {
      const writes = [...pending.values()].map(writeOf)
      pending.clear()
      return writes
    },
    drop: () => pending.clear(),
  }
}

function nameOf(table: Table, { id }: Key): string {
  return `${table} ${id}`
}

function isSomething(
  entry: [string, number | string | undefined],
): entry is [string, number | string] {
  return entry[1] !== undefined && entry[1] !== 0
}

function writeOf(one: PendingRow, nth: number): [string, RawBuilder<unknown>] {
  return one.isNew ? [`new_${nth}`, insertOf(one)] : [`moved_${nth}`, updateOf(one)]
}

function insertOf({ table, values }: PendingRow) {
  const names = Object.keys(values).map((name) => sql.id(name))
  const sent = Object.values(values).map(asSent)
  return sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(sent)})`
}

function updateOf({ table, key, values, added }: PendingRow) {
  const counted = Map.groupBy(added, ([name]) => name)
  const set = [
    ...Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${asSent(value)}`),
    ...[...counted].map(([name, amounts]) => {
      const sum = [sql.id(name), ...amounts.map(([, amount]) => sql`${amount}`)]
      return sql`${sql.id(name)} = ${sql.join(sum, sql` + `)}`
    }),
  ]
  return sql`
    update ${sql.table(table)} set ${sql.join(set)}
     where workspace_id = ${key.workspace_id} and id = ${key.id}`
}

/** Whatever is no value of a column by itself goes into one of jsonb. */
function asSent(value: unknown): unknown {
  const isPlain = typeof value !== 'object' || value === null
  return isPlain || value instanceof Date || Buffer.isBuffer(value) ? value : JSON.stringify(value)
}
