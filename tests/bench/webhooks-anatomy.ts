import type { Domain } from '@svc/domain/domain'
import type { Outbound } from '@svc/domain/outbound'
import pg from 'pg'
import { cpuWithChildren } from './cpu.ts'
import { row, say } from './figures.ts'
import type { Bench } from './webhooks-world.ts'

interface Timed {
  count: number
  ms: number
}

/** Prints where the time of a delivery goes in one run of `work`: statements, the send, and the processor's. */
export async function anatomy(
  { domain, database, receiver }: Bench,
  work: (domain: Domain, begin: () => void) => Promise<number>,
  deliveries: number,
): Promise<void> {
  const statements: Record<string, Timed> = {}
  const sends: Timed = { count: 0, ms: 0 }
  const watched = {
    ...domain,
    outbound: timedOutbound(domain.outbound, sends),
  }
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return [
      (user + system) / 1000,
      cpuWithChildren(database.serverPid()),
      receiver.cpuMs(),
    ] as const
  }
  using _ = stopwatch(statements)
  let before = used()
  const rate = await work(watched, () => {
    before = used()
  })
  const [ours, theirs, endpoint] = used()
  say(`where a delivery's time goes, one run of ${Math.round(rate)}/s`)
  for (const [name, { count, ms }] of Object.entries(statements)) {
    const each = `${count} statements of ${(deliveries / count).toFixed(0)}`
    row(`  ${name}`, `${perDelivery(ms)}, ${each}, ${(ms / count).toFixed(1)} ms each`)
  }
  row('  from the request to the answer', `${(sends.ms / sends.count).toFixed(1)} ms each`)
  row('  processor: dispatcher', perDelivery(ours - before[0]))
  row('  processor: PostgreSQL', perDelivery(theirs - before[1]))
  row('  processor: endpoint', perDelivery(endpoint - before[2]))

  function perDelivery(ms: number): string {
    return `${Math.round((ms * 1000) / deliveries)} µs a delivery`
  }
}

const kinds = { 'claim and load': 'claimed as (', settle: 'ended as (' }

type Query = (this: unknown, asked: pg.QueryConfig | string) => Promise<unknown>

/** From when a statement is handed to the driver to when its rows are there, until it is disposed of. */
function stopwatch(found: Record<string, Timed>): Disposable {
  const { prototype } = pg.Client
  // the driver's method has many forms, of which the service uses this one
  const query = Reflect.get(prototype, 'query') as Query
  const timed = async (client: pg.Client, asked: pg.QueryConfig | string) => {
    const at = performance.now()
    const result = await Reflect.apply(query, client, [asked])
    const text = typeof asked === 'string' ? asked : asked.text
    const [kind] = Object.entries(kinds).find(([, part]) => text.includes(part)) ?? []
    if (kind !== undefined) {
      const sum = (found[kind] ??= { count: 0, ms: 0 })
      sum.count += 1
      sum.ms += performance.now() - at
    }
    return result
  }
  Reflect.set(prototype, 'query', function (this: pg.Client, asked: pg.QueryConfig) {
    return timed(this, asked)
  })
  return { [Symbol.dispose]: () => void Reflect.set(prototype, 'query', query) }
}

function timedOutbound(outbound: Outbound, sends: Timed): Outbound {
  return {
    ...outbound,
    async send(request) {
      const result = await outbound.send(request)
      sends.count += 1
      sends.ms += result.timings.total
      return result
    },
  }
}
