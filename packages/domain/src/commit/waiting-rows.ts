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
export type WaitingTable = keyof Rows
type Key = Record<'workspace_id' | 'id', string>

/** A new row, or new values of one that is there. */
interface Waiting {
  table: WaitingTable
  key: Key
  isNew: boolean
  values: Readonly<Record<string, unknown>>
}

/** Rows whose values are known and are written later, each once. Their order among each other is nobody's. */
export interface WaitingRows {
  /** What is left out gets its column's default. */
  insert<T extends WaitingTable>(table: T, row: Key & Partial<Rows[T]>): void
  /** New values of a row that the caller has locked or inserted. Later ones join them. Answers the row as it will be. */
  move<T extends WaitingTable, R extends Rows[T]>(table: T, row: R, values: Partial<Rows[T]>): R
  /** The same for whoever knows the row by its key alone. */
  set<T extends WaitingTable>(table: T, key: Key, values: Partial<Rows[T]>): void
  moves(table: WaitingTable): boolean
  take(): [name: string, write: RawBuilder<unknown>][]
  mark(): readonly Waiting[]
  rewind(mark: readonly Waiting[]): void
}

export function createWaitingRows(): WaitingRows {
  const waiting = new Map<string, Waiting>()
  const put = (one: Waiting) => void waiting.set(`${one.table} ${one.key.id}`, one)
  const set: WaitingRows['set'] = (table, { workspace_id, id }, values) => {
    const before = waiting.get(`${table} ${id}`)
    put({
      table,
      key: { workspace_id, id },
      isNew: before?.isNew ?? false,
      values: { ...before?.values, ...values },
    })
  }
  return {
    insert: (table, row) => put({ table, key: row, isNew: true, values: row }),
    set,
    move(table, row, values) {
      set(table, row, values)
      return { ...row, ...values }
    },
    moves: (table) => [...waiting.values()].some((one) => one.table === table && !one.isNew),
    take() {
      const writes = [...waiting.values()].map(writeOf)
      waiting.clear()
      return writes
    },
    mark: () => [...waiting.values()],
    rewind(mark) {
      waiting.clear()
      mark.forEach(put)
    },
  }
}

function writeOf(one: Waiting, nth: number): [string, RawBuilder<unknown>] {
  return one.isNew ? [`new_${nth}`, insertOf(one)] : [`moved_${nth}`, updateOf(one)]
}

function insertOf({ table, values }: Waiting) {
  const names = Object.keys(values).map((name) => sql.id(name))
  const sent = Object.values(values).map(asSent)
  return sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(sent)})`
}

function updateOf({ table, key, values }: Waiting) {
  const set = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${asSent(value)}`)
  return sql`
    update ${sql.table(table)} set ${sql.join(set)}
     where workspace_id = ${key.workspace_id} and id = ${key.id}`
}

/** Whatever is no value of a column by itself goes into one of jsonb. */
function asSent(value: unknown): unknown {
  const isPlain = typeof value !== 'object' || value === null
  return isPlain || value instanceof Date || Buffer.isBuffer(value) ? value : JSON.stringify(value)
}
