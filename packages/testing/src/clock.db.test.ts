import { openDatabase } from '@svc/db/database'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { advance } from './clock.ts'
import { useTestDatabase } from './database.ts'

const { connectionString: url } = await useTestDatabase()
const db = openDatabase({ url, poolSize: 2, onError: () => undefined })
afterAll(() => db.destroy())

const day = 24 * 60 * 60 * 1000

test('a day passes at once, for every connection', async () => {
  const before = await distanceMs()
  await db.transaction().execute((tx) => advance(tx, day))
  expect(await Promise.all([distanceMs(), distanceMs()])).toEqual([before + day, before + day])
})

test('pg-boss reads the same clock', async () => {
  await advance(db, day)
  const { rows } = await sql<{ same: boolean }>`
    select pgboss.job_now() = app.now() as same
  `.execute(db)
  expect(rows).toEqual([{ same: true }])
})

test('every step adds to the last', async () => {
  const before = await distanceMs()
  await advance(db, 1000)
  await advance(db, 500)
  expect(await distanceMs()).toBe(before + 1500)
})

async function distanceMs(): Promise<number> {
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from app.now() - statement_timestamp()) * 1000)::bigint as ms
  `.execute(db)
  return Number(rows[0]?.ms)
}
