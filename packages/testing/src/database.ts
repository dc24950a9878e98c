import { randomUUID } from 'node:crypto'
import { test as base, afterAll, inject } from 'vitest'
import { type TestServer, databaseUrl, onServer } from './server.ts'

export type TestDatabase = AsyncDisposable & {
  name: string
  connectionString: string
  /** As it is now, while nobody is connected to it. */
  copy(): Promise<TestDatabase>
}

/** A new database with every migration and the movable clock; disposing drops it. */
export function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres')
  return cloneOf(server, server.template)
}

/** A new database with nothing in it; disposing drops it. */
export async function createEmptyDatabase(): Promise<Omit<TestDatabase, 'copy'>> {
  const server = inject('postgres')
  const name = `svc_test_${randomUUID()}`
  await onServer(server, `create database "${name}"`)
  return { name, ...placeOf(server, name) }
}

async function cloneOf(server: TestServer, template: string): Promise<TestDatabase> {
  const name = `svc_test_${randomUUID()}`
  // Copying files is the faster way where nothing waits for the disk, and the slower one elsewhere.
  const strategy = server.shared ? 'wal_log' : 'file_copy'
  await onServer(server, `create database "${name}" template "${template}" strategy ${strategy}`)
  return { name, copy: () => cloneOf(server, name), ...placeOf(server, name) }
}

function placeOf(server: TestServer, name: string) {
  return {
    connectionString: databaseUrl(server.url, name),
    [Symbol.asyncDispose]: () => onServer(server, `drop database "${name}" with (force)`),
  }
}

/** A database of its own for the test file that calls this at its top; dropped after the last test. */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  afterAll(() => database[Symbol.asyncDispose]())
  return database
}

/** `test` of a file that needs a database: one of its own, as long as its tests. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export const test = base.extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
  const database = await createTestDatabase()
  onCleanup(() => database[Symbol.asyncDispose]())
  return database
})
