import { setTimeout as delay } from 'node:timers/promises'
import { startDispatcher } from '@svc/dispatcher/dispatcher'
import { publishMany } from '@svc/domain/testing/publish-many'
import { row } from './figures.ts'
import { type Bench, healthy, log, subscribe, until } from './webhooks-world.ts'

/** From the event's own time to its arrival, with little to do. */
export async function latency(bench: Bench, hints: boolean): Promise<void> {
  const { domain, receiver } = bench
  await subscribe(bench, healthy(1))
  receiver.reset()
  await using _ = startDispatcher({ domain, log })
  const count = hints ? 200 : 40
  for (let made = 0; made < count; made += 1) {
    await publishMany(domain, bench.event, 1)
    if (hints) domain.wake.notify('svc_outbox')
    await delay(hints ? 20 : 130)
  }
  await until(receiver, count)
  const name = hints ? 'event to arrival with hints' : 'event to arrival by polling alone'
  row(name, percentiles(receiver.latencies()))
}

function percentiles(sorted: readonly number[]): string {
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** Nine endpoints with and without a tenth that never answers. */
export async function hung(bench: Bench): Promise<void> {
  const { domain, receiver } = bench
  for (const paths of [healthy(9), [...healthy(9), '/hang']]) {
    await subscribe(bench, paths)
    await publishMany(domain, bench.event, 100)
    receiver.reset()
    const begun = performance.now()
    await using _ = startDispatcher({ domain, log })
    domain.wake.notify('svc_outbox')
    await until(receiver, 900, 20)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const name = paths.length === 9 ? 'nine endpoints' : 'nine endpoints and one that hangs'
    row(name, `${receiver.count()} of 900 in ${seconds} s, ${percentiles(receiver.latencies())}`)
  }
}
