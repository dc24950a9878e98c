import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRunOrder } from '@svc/runner/run/run-folder'
import type { Machine } from './machine.ts'
import { until } from './until.ts'

/** Until the supervisor has found that a whole lease went by without a renewal. */
export async function outliveLease(machine: Machine): Promise<void> {
  const folder = machine.runs().at(-1)?.folder ?? ''
  const end = Date.now() + readRunOrder(folder).leaseSeconds * 1000
  await until('a renewal fails after the lease', () => {
    const lines = readFileSync(join(folder, 'supervisor.log'), 'utf8').split('\n')
    const failed = lines.findLast((line) => line.includes('the lease could not be renewed'))
    return failed !== undefined && Date.parse(JSON.parse(failed).at) > end
  })
}
