import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startDispatcher } from '@svc/dispatcher/dispatcher'
import type { DispatcherLimits } from '@svc/dispatcher/timing'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { publishMany } from '@svc/domain/testing/publish-many'
import { inColumns, median, row, say } from './figures.ts'
import { anatomy } from './webhooks-anatomy.ts'
import { hung, latency } from './webhooks-latency.ts'
import {
  type PeerJob,
  type PeerRun,
  post,
  postBare,
  withGraphile,
  withPlainBoss,
} from './webhooks-peers.ts'
import type { BenchReceiver } from './webhooks-receiver.ts'
import { type Bench, healthy, log, openBench, padding, subscribe, until } from './webhooks-world.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    deliveries: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
  },
})
const deliveries = Number(values.deliveries)
const rounds = Number(values.rounds)
const few = 300
const subscribers = 20

const bare = 'bare undici and HMAC, no queue, no guard'
const shipped = 'own loop as shipped: 256 slots'
const batched = 'graphile-worker with localQueue and batched completion'

/** Each answers deliveries per second. */
const setups: Record<string, (bench: Bench) => Promise<number>> = {
  [bare]: withoutQueue(postBare),
  'our guarded sender and HMAC, no queue': withoutQueue(post),
  [shipped]: (bench) => own(bench, {}),
  'own loop, 64 slots': (bench) => own(bench, { slots: 64 }),
  'own loop, a transaction for each outcome': (bench) =>
    own(bench, { slots: 64, settleBatch: 1, settleMost: 1, settleWaitMs: 0 }),
  'graphile-worker': (bench) => withPeer(bench, (peer) => withGraphile(peer, false)),
  [batched]: (bench) => withPeer(bench, (peer) => withGraphile(peer, true)),
}

export async function run(): Promise<void> {
  for (const durable of [false, true]) {
    await using bench = await openBench(durable)
    await compare(bench, durable)
    await anatomy(bench, (domain, begin) => own({ ...bench, domain }, {}, begin), deliveries)
    if (durable) continue
    const plain = await withPeer(bench, withPlainBoss, few)
    row(`plain boss.work, 64 × batch 1 × 0.5 s (${few}, once)`, inColumns([plain]))
    await latency(bench, true)
    await latency(bench, false)
    await hung(bench)
  }
}

async function compare(bench: Bench, durable: boolean): Promise<void> {
  say(
    `\n${deliveries} deliveries of about 1 KB, 64 at a time where not said, ${rounds} runs in turn;`,
  )
  say(durable ? 'each commit waits for the disk' : 'no commit waits for the disk')
  row('deliveries/s', ' minimum median maximum')
  const found = new Map<string, number[]>(Object.keys(setups).map((name) => [name, []]))
  // in turn, so that whatever else the machine does falls on all alike
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(setups))
      found.get(name)?.push(await measure(bench))
  }
  for (const [name, rates] of found) row(name, inColumns(rates))
  for (const peer of [bare, batched]) {
    const ratios = (found.get(shipped) ?? []).map(
      (rate, round) => rate / (found.get(peer)?.[round] ?? Number.NaN),
    )
    row(`as shipped ÷ ${peer}`, `${median(ratios).toFixed(2)} (median of the rounds)`)
  }
}

async function own(
  bench: Bench,
  limits: Partial<DispatcherLimits>,
  begin?: () => void,
): Promise<number> {
  const { domain, receiver } = bench
  await subscribe(bench, healthy(subscribers))
  await publishMany(domain, bench.event, deliveries / subscribers)
  while ((await fanOutDue(domain, defaultTiming)) > 0) continue
  receiver.reset()
  begin?.()
  const begun = performance.now()
  await using dispatcher = startDispatcher({ domain, log, limits })
  await dispatcher.drain()
  await until(receiver, deliveries)
  return rateSince(begun)
}

type Post = (job: PeerJob, padding: string) => Promise<unknown>

function withoutQueue(send: Post): (bench: Bench) => Promise<number> {
  return async ({ receiver }) => {
    receiver.reset()
    const jobs = jobsFor(receiver, deliveries)
    const begun = performance.now()
    const worker = async () => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await send(job, padding)
    }
    await Promise.all(Array.from({ length: 64 }, worker))
    return rateSince(begun)
  }
}

function jobsFor(receiver: BenchReceiver, count: number): PeerJob[] {
  return Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    url: `${receiver.url}/${index % subscribers}`,
  }))
}

async function withPeer(
  { database: { url }, receiver }: Bench,
  peer: (run: PeerRun) => Promise<number>,
  count = deliveries,
): Promise<number> {
  receiver.reset()
  const jobs = jobsFor(receiver, count)
  const seconds = await peer({ url, receiver, jobs, padding, until: () => until(receiver, count) })
  return count / seconds
}

function rateSince(begun: number): number {
  return deliveries / ((performance.now() - begun) / 1000)
}
