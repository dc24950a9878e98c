import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { eachDue } from './each-due.ts'

test('what is due is done one by one: what fails undoes itself, is logged, and keeps nothing else from it', async ({
  world,
}) => {
  const { db, log } = world.domain
  const logged: unknown[] = []
  const error = (fields: object) => void logged.push(fields)
  await sql`create table chores (id text primary key)`.execute(db)
  const failure = new Error('this one cannot be done')
  const worked: string[] = []

  await eachDue(
    { ...world.domain, log: { ...log, error } },
    {
      find: (most) =>
        Promise.resolve(['a', 'b', 'done before', 'c', most].map((id) => ({ id: `${id}` }))),
      async lock(tx, { id }) {
        await sql`insert into chores values (${id})`.execute(tx)
        return id === 'done before' ? undefined : id
      },
      work(_tx, id) {
        worked.push(id)
        return id === 'b' ? Promise.reject(failure) : Promise.resolve()
      },
    },
  )

  expect(worked).toEqual(['a', 'b', 'c', '100'])
  const { rows } = await sql<{ id: string }>`select id from chores order by id`.execute(db)
  expect(rows.map(({ id }) => id)).toEqual(['100', 'a', 'c', 'done before'])
  expect(logged).toEqual([{ err: failure, id: 'b' }])
})
