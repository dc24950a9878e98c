import { openReceiver } from '@svc/testing/receiver'
import type { Operation, personEndpoints } from '@svc/domain/testing/operations'
import { test as base } from '@svc/domain/testing/world'
import { serveAll } from '../serve-all.ts'
import { meetCallers } from './callers.ts'
import { fillPersonRows } from './person-rows.ts'
import { fillMatrix } from './rows.ts'

/** `test` of a file in which every kind of caller has asked each of these operations. */
export function matrixTest(operations: readonly Operation[], endpoints: typeof personEndpoints) {
  return base.extend('matrix', { scope: 'file' }, async ({ world, database }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const receiver = opened.use(await openReceiver())
    const { url } = opened.use(await serveAll(database.connectionString))
    const callers = await meetCallers(world, { receiver, url })
    const rows = await fillMatrix(url, callers, operations)
    return { callers, rows, personRows: await fillPersonRows(url, callers, endpoints) }
  })
}
