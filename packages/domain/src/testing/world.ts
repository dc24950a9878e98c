import { test as base } from 'vitest'
import { createTestDatabase } from '@svc/testing/database'
import { openWorld } from './open-world.ts'

export { type AttachedRun, type World, openWorld } from './open-world.ts'

/** `test` of a file that needs the service: its world lives as long as the file's tests. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export const test = base.extend('world', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const database = opened.use(await createTestDatabase())
  return opened.use(await openWorld(database.connectionString))
})
