import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { killAll } from '@svc/tests/e2e/processes'
import { until } from '@svc/tests/e2e/until'
import { median, say, table } from '../figures.ts'
import { type Ground, openGround } from './ground.ts'
import { type Amount, cancel, supervisorsOf } from './parts.ts'

/** The leases of a deployment take their time. */
const patience = { seconds: Infinity }

/** Every process of a runner killed at once, as when its machine goes: how soon the service tells, and gives its work to others. */
export async function measureDeaths({ deaths }: Amount): Promise<void> {
  await using ground = await openGround()
  const noticed: number[] = []
  const offered: number[] = []
  for (let nth = 0; nth < deaths; nth += 1) {
    const { id } = await ground.launch()
    // its launch is reported, and a heartbeat or two are sent
    await delay(5_000)
    const begun = performance.now()
    const seconds = () => (performance.now() - begun) / 1_000
    const supervisors = supervisorsOf(ground)
    await ground.daemon().killNow()
    killAll([...supervisors, ...ground.processesOf(id)])
    await Promise.all([
      until('it is gone', () => isUnavailable(ground), patience).then(() =>
        noticed.push(seconds()),
      ),
      until('it is offered', () => isOffered(ground, id), patience).then(() =>
        offered.push(seconds()),
      ),
    ])
    ground.startDaemon()
    await cancel(ground, id)
  }
  say(`a runner with an unattached run killed, ${deaths} times: s until`)
  const rowOf = (values: number[]) => [median(values), Math.max(...values)].map((s) => s.toFixed(1))
  table([
    ['', 'median', 'most', 'aim'],
    ['the service tells that it is gone', ...rowOf(noticed), 'under 60'],
    ['its work is offered again', ...rowOf(offered), 'under 90'],
  ])
}

async function isUnavailable({ client }: Ground): Promise<boolean> {
  const { runners } = await client.call('listRunners', {})
  return runners.every(({ state }) => state === 'unavailable')
}

async function isOffered({ stage }: Ground, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from execution_requests
     where id = ${id} and status = 'queued' and run_after <= app.now()`.execute(stage.db)
  return rows.length > 0
}
