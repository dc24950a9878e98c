import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { purgeDeleted } from './purge.ts'

const afterAMonth = 30 * 86_400 + 1

test('what cannot be taken away keeps nothing behind it from going, and a pass says whether it did something', async ({
  world,
}) => {
  const { alice } = world
  const { db } = world.domain
  const project = await world.projectWith()
  const ids: string[] = []
  while (ids.length < 4) ids.push((await world.missionWith(['one'], { project })).mission.id)
  for (const id of ids) await alice.call('deleteMissions', { missionIds: [id], confirm: true })
  await world.advance(afterAMonth)
  await sql`
    create function stay() returns trigger language plpgsql as $$
    begin raise 'it stays'; end $$`.execute(db)
  await sql`
    create trigger stay before delete on missions for each row
      when (old.id = ${sql.lit(ids[0])}) execute function stay()`.execute(db)
  const failed: unknown[] = []
  const error = ({ id }: { id?: unknown }) => void failed.push(id)
  const domain = { ...world.domain, log: { ...world.domain.log, error } }
  expect(await purgeDeleted(domain, 2)).toBe(2)
  expect(await purgeDeleted(domain, 2)).toBe(1)
  expect(await purgeDeleted(domain, 2)).toBe(0)
  expect(failed).toEqual([ids[0], ids[0], ids[0]])

  await sql`drop function stay cascade`.execute(db)
  expect(await purgeDeleted(world.domain)).toBe(1)
  const { rows } = await sql`select from missions where id = any(${ids}::uuid[])`.execute(db)
  expect(rows).toEqual([])
})

test('several processes at it take each thing away once', async ({ world }) => {
  const { alice } = world
  const project = await world.projectWith()
  const missionIds: string[] = []
  while (missionIds.length < 5) {
    missionIds.push((await world.missionWith(['one', 'two'], { project })).mission.id)
  }
  await alice.call('deleteMissions', { missionIds, confirm: true })
  await world.advance(afterAMonth)
  await using first = await world.openProcess({})
  await using second = await world.openProcess({})
  const counts = await Promise.all([first, second].map((domain) => purgeDeleted(domain)))
  expect(counts.reduce((sum, count) => sum + count)).toBe(5)
})
