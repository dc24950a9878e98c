import { CompiledQuery, sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { type Database, type Queryable, type Tx, openDatabase } from './database.ts'
import { runTransaction } from './run-transaction.ts'

const { url } = inject('postgres')
const nothing = () => []

async function withDatabase(work: (db: Database) => Promise<void>, prepare = true): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, prepare, onError: () => undefined })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

/** A temporary table of the only connection: statements that come next see what it holds from earlier ones. */
async function makeTable(db: Database): Promise<void> {
  await sql`create temporary table if not exists texts (text text primary key)`.execute(db)
  await sql`truncate texts`.execute(db)
}

const insert = (text: string) => CompiledQuery.raw('insert into texts values ($1)', [text])

/** Gives each of these once. */
function once(...queries: CompiledQuery[]): () => CompiledQuery[] {
  return () => queries.splice(0, 1)
}

async function storedTexts(db: Queryable): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from texts order by text`.execute(db)
  return rows.map(({ text }) => text)
}

describe('a transaction', () => {
  test('writes what is pending with its commit', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      const takePending = (commits: boolean) => (commits ? [insert('last')] : [])
      await runTransaction(db, takePending, async ({ tx }) => {
        await tx.getExecutor().executeQuery(insert('first'))
        expect(await storedTexts(tx)).toEqual(['first'])
      })
      expect(await storedTexts(db)).toEqual(['first', 'last'])
    }))

  test('flushes what is pending before its next statement, which then finds it', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      await runTransaction(db, once(insert('a'), insert('b')), async ({ tx, countWrites }) => {
        expect([await storedTexts(tx), await storedTexts(tx), countWrites()]).toEqual([
          ['a'],
          ['a', 'b'],
          0,
        ])
        await tx.getExecutor().executeQuery(insert('c'))
        expect(countWrites()).toBe(1)
      })
      expect(await storedTexts(db)).toEqual(['a', 'b', 'c'])
    }))

  test('sends its statements without waiting, and answers each with its own rows', () =>
    withDatabase(async (db) => {
      const answers = await runTransaction(db, nothing, ({ tx }) =>
        Promise.all([1, 2, 3].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(tx))),
      )
      expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    }))

  test('whose last write fails keeps nothing and says why', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      const takePending = (commits: boolean) => (commits ? [insert('twice')] : [])
      const failing = runTransaction(db, takePending, async ({ tx }) => {
        await tx.getExecutor().executeQuery(insert('twice'))
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      expect(await storedTexts(db)).toEqual([])
    }))

  test('takes no statement after its end, however it ended', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      const late: Promise<unknown>[] = []
      const end = Promise.withResolvers<void>()
      const insertLate = async (tx: Tx, text: string) => {
        await end.promise
        await tx.getExecutor().executeQuery(insert(text))
      }
      await runTransaction(db, nothing, async ({ tx }) => {
        late.push(insertLate(tx, 'after the commit'))
      })
      const failing = runTransaction(db, nothing, async ({ tx }) => {
        late.push(insertLate(tx, 'after the failure'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      end.resolve()
      for (const one of late) await expect(one).rejects.toThrow('after the end')
      expect(await storedTexts(db)).toEqual([])
    }))

  test('that threw leaves its connection free', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      const failing = runTransaction(db, nothing, async ({ tx }) => {
        void sql`select pg_sleep(0.01)`.execute(tx)
        await tx.getExecutor().executeQuery(insert('undone'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await storedTexts(db)).toEqual([])
      const { rows } = await sql<{ free: boolean }>`
        select pg_current_xact_id_if_assigned() is null as free`.execute(db)
      expect(rows).toEqual([{ free: true }])
    }))
})

describe('a statement', () => {
  const ask = (db: Database) => sql`select ${1}::int + ${2}::int as sum`.execute(db)
  const prepared = async (db: Database) => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where strpos(statement, 'pg_prepared') = 0`.execute(
      db,
    )
    return rows.map(({ statement }) => statement)
  }

  test('that recurs is prepared, and one that came once is not', () =>
    withDatabase(async (db) => {
      await ask(db)
      expect(await prepared(db)).toEqual([])
      await ask(db)
      await ask(db)
      expect(await prepared(db)).toEqual(['select $1::int + $2::int as sum'])
    }))

  test('that was prepared is answered when its table has got another column', () =>
    withDatabase(async (db) => {
      await makeTable(db)
      const all = () => sql`select texts.*, ${1}::int as one from texts`.execute(db)
      await sql`insert into texts values ('a')`.execute(db)
      for (let time = 0; time < 3; time += 1) await all()
      await sql`alter table texts add column more int`.execute(db)
      expect((await all()).rows).toEqual([{ text: 'a', more: null, one: 1 }])
    }))

  test('is never prepared where that is turned off', () =>
    withDatabase(async (db) => {
      for (let time = 0; time < 3; time += 1) await ask(db)
      expect(await prepared(db)).toEqual([])
    }, false))
})
