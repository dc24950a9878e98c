import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { listMigrations, ownMigrations } from './migrations.ts'

/** In the form of `sha256sum`. A database that has taken a migration never takes another text of it. */
const listed = new URL('released.sha256', ownMigrations)

test('a migration that a database may have taken stays as it is', async () => {
  const released = (await readFile(listed, 'utf8')).split('\n').filter((line) => line !== '')
  const lines = (await listMigrations(ownMigrations)).map(async (name) => {
    const text = await readFile(new URL(`${name}.sql`, ownMigrations))
    return `${createHash('sha256').update(text).digest('hex')}  ${name}.sql`
  })
  // one that is new gets its line here with the change that brings it; one that differs is put back, and the change is a new file
  expect(await Promise.all(lines)).toEqual(released)
})
