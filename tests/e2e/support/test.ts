import { test as base } from '@svc/testing/database'
import { openService } from './service.ts'

/** `test` of a file that needs the service: one API process on a database of the file's own. */
export const test = base.extend(
  'service',
  { scope: 'file' },
  async ({ database }, { onCleanup }) => {
    const service = await openService(database.connectionString)
    onCleanup(() => service[Symbol.asyncDispose]())
    return service
  },
)
