import { sql } from 'kysely'
import { expect } from 'vitest'
import { goingAlong } from '../deletion/purge.ts'
import { test } from '../testing/world.ts'
import { kept } from './kept.ts'
import { retention } from './retention.ts'

/** All rows of these go after a time, and not only some of them or a part of each. */
const gone = new Set<string>(
  retention.filter(({ only, clears }) => !only && !clears).map(({ table }) => table),
)

test('every table of the database says how its rows go, or that they stay', async ({ world }) => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and relname not like 'kysely%' order by 1`.execute(world.domain.db)
  const named = new Set<string>([...gone, ...goingAlong, ...Object.keys(kept)])
  const without = rows.map(({ name }) => name).filter((name) => !named.has(name))
  expect(without, 'add them to retention.ts, deletion/purge.ts or kept.ts').toEqual([])
  const there = new Set(rows.map(({ name }) => name))
  expect([...named].filter((name) => !there.has(name))).toEqual([])
})

test('no table says it twice', () => {
  const twice = Object.keys(kept).filter(
    (name) => gone.has(name) || goingAlong.some((one) => one === name),
  )
  expect(twice).toEqual([])
})
