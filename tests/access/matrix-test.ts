import { createLog } from '@svc/process/log'
import { createTestDatabase } from '@svc/testing/database'
import { openReceiver } from '@svc/testing/receiver'
import type { Operation, personEndpoints } from '@svc/domain/testing/operations'
import { openWorld } from '@svc/domain/testing/world'
import { test as base } from 'vitest'
import { serveAll } from '../serve-all.ts'
import { meetCallers } from './callers.ts'
import { fillPersonRows } from './person-rows.ts'
import { fillMatrix } from './rows.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** `test` of a file in which every kind of caller has asked each of these operations. */
export function matrixTest(operations: readonly Operation[], endpoints: typeof personEndpoints) {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
  return base.extend('matrix', { scope: 'file' }, async ({}, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const database = opened.use(await createTestDatabase())
    const receiver = opened.use(await openReceiver())
    const world = opened.use(await openWorld(database.connectionString))
    const { url } = opened.use(await serveAll(database.connectionString, log))
    const callers = await meetCallers(world, { receiver, url })
    const rows = await fillMatrix(url, callers, operations)
    return { callers, rows, personRows: await fillPersonRows(url, callers, endpoints) }
  })
}
