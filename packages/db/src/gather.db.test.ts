import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'
import { gather } from './gather.ts'

const { url } = inject('postgres')

test('several reads come in one statement, each with its own rows in their order, times and bytes as such', async () => {
  const db = openDatabase({ url, poolSize: 1, onError: () => undefined })
  const found = await gather(db, {
    numbers: sql<{ n: number }>`select n from unnest(array[3, 1, 2]) as n`,
    none: sql<{ n: number }>`select 1 as n where false`,
    rows: sql<{
      created_at: Date
      ended_at: Date | null
      bytes: Buffer
      data: unknown
      text: string
    }>`
      select timestamptz '2026-11-01 10:00:00.5+02' as created_at, null::timestamptz as ended_at,
             '\\x00ff'::bytea as bytes, '{"created_at": "no time"}'::jsonb as data,
             '2026-11-01T10:00:00Z' as text`,
  })
  await db.destroy()
  expect(found).toEqual({
    numbers: [{ n: 3 }, { n: 1 }, { n: 2 }],
    none: [],
    rows: [
      {
        created_at: new Date('2026-11-01T08:00:00.500Z'),
        ended_at: null,
        bytes: Buffer.from([0, 255]),
        data: { created_at: 'no time' },
        text: '2026-11-01T10:00:00Z',
      },
    ],
  })
})
