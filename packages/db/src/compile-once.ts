import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Queryable } from './database.ts'

/** Stands for a value while the text is built. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Slots<V> = { [Name in keyof V]: RawBuilder<V[Name]> }

/**
 * A query whose text is always the same: built and compiled at its first use, and then only its values change. For
 * what every call sends, where building costs as much as asking.
 */
export function compileOnce<V extends object, Row>(
  build: (db: Queryable, values: Slots<V>) => CompiledQuery<Row>,
): (db: Queryable, values: V) => Promise<{ rows: Row[]; affected: number }> {
  // a slot for whatever name is asked for
  const slots = new Proxy({}, { get: (_, name) => sql.val(new Slot(String(name))) }) as Slots<V>
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, slots)
    const given = compiled.parameters.map((one) =>
      // slots are asked for by the names of the values
      one instanceof Slot ? values[one.name as keyof V] : one,
    )
    const asked = CompiledQuery.raw(compiled.sql, given)
    const { rows, numAffectedRows } = await db.getExecutor().executeQuery(asked)
    // the statement says what its rows are
    return { rows: rows as Row[], affected: Number(numAffectedRows ?? 0) }
  }
}
