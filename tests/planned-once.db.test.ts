import { test } from '@svc/domain/testing/hooked-world'
import pg from 'pg'
import { expect, vi } from 'vitest'
import type { Sent } from './flat/sent.ts'
import { openCycle } from './launch-cycle.ts'

/** The others, `begin` and `commit` among them, are not planned. */
const hasPlan = /^\s*(?:select|with|insert|update|delete)\b/i

interface Asked extends Sent {
  name?: string
}

/** Of one that the pool has closed, as it does with whatever was idle for a while, nothing is known any more. */
async function preparedOn(client: pg.Client) {
  if (isClosed(client)) return []
  const { rows } = await client.query<{ statement: string; custom_plans: number }>(
    'select statement, custom_plans::int from pg_prepared_statements',
  )
  return rows
}

/** The types of pg leave out what every client has. */
function isClosed(client: pg.Client): boolean {
  return (client as unknown as { connection: { stream: { destroyed: boolean } } }).connection.stream
    .destroyed
}

/** How often the server has planned each statement of a connection for the very values that it came with. */
async function customPlans(clients: Iterable<pg.Client>): Promise<Map<string, number>> {
  const plans = new Map<string, number>()
  for (const [index, client] of [...clients].entries()) {
    const rows = await preparedOn(client)
    for (const row of rows) plans.set(`${index} ${row.statement}`, row.custom_plans)
  }
  return plans
}

test('what a cycle from launch to delivery sends is planned once a connection, and never anew for its values', async ({
  hooked,
}) => {
  const cycle = await openCycle(hooked, 30)
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const once = () => cycle.next((_, work) => work())
  // a text is prepared when it comes again, and planned with its values five times before the server decides
  for (let turn = 0; turn < 20; turn += 1) await once()
  // whoever is asked is a client
  const clients = new Set(spy.mock.contexts as pg.Client[])
  const before = await customPlans(clients)
  expect(before.size).toBeGreaterThan(20)

  spy.mockClear()
  for (let turn = 0; turn < 10; turn += 1) await once()
  const asked = spy.mock.calls.map(([given]) =>
    typeof given === 'string' ? { text: given, values: [] } : (given as unknown as Asked),
  )
  const unnamed = asked.filter(({ text, name }) => hasPlan.test(text) && name === undefined)
  // what comes once in a while is prepared when it comes again: no two of these are the same
  const again = unnamed.filter(({ text }, n) => unnamed.findIndex((one) => one.text === text) < n)
  expect(again.map(({ text }) => text)).toEqual([])

  const after = await customPlans(clients)
  const grown = [...after].filter(([text, count]) => count > Math.max(before.get(text) ?? 0, 5))
  expect(grown.map(([text]) => text)).toEqual([])
  spy.mockRestore()
})
