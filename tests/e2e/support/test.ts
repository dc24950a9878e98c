import { createTestDatabase } from '@svc/testing/database'
import { test as base } from 'vitest'
import { openService } from './service.ts'

/** `test` of a file that needs the service: one API process on a database of the file's own. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export const test = base.extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const database = opened.use(await createTestDatabase())
  return opened.use(await openService(database.connectionString))
})
