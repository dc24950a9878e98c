import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { startDispatcher } from '@svc/dispatcher/dispatcher'
import type { DispatcherLimits } from '@svc/dispatcher/timing'
import { type Domain, openDomain } from '@svc/domain/domain'
import { publish } from '@svc/domain/commit/outbox'
import { inTransaction } from '@svc/domain/commit/transaction'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { ensureMember, ensureWorkspace, issueToken } from '@svc/domain/workspaces/set-up'
import { createLog } from '@svc/process/log'
import { openOutbound } from '@svc/service/outbound'
import { defaultSeconds } from '@svc/service/seconds'
import { type Person, personWith } from '@svc/testing/people'
import { openThrowawayDatabase } from '../hunt/database.ts'
import { median, say } from './figures.ts'
import {
  type PeerJob,
  type PeerRun,
  post,
  preparePeers,
  withGraphile,
  withPlainBoss,
} from './webhooks-peers.ts'
import { type BenchReceiver, openBenchReceiver } from './webhooks-receiver.ts'

const deliveries = 2_000
const few = 300
const rounds = 3
const subscribers = 20
/** Makes a payload of about 1 KB. */
const padding = 'x'.repeat(900)
const log = createLog({ name: 'bench', level: 'error' })

interface Bench {
  url: string
  domain: Domain
  admin: Person
  receiver: BenchReceiver
  event: Parameters<typeof publish>[1]
}

const row = (name: string, value: string) => say(`${name.padEnd(64)}${value}`)

const setups: Record<string, (bench: Bench) => Promise<number>> = {
  'raw undici and HMAC, no queue (ceiling)': raw,
  'own loop as shipped: 256 slots, outcomes in batches': (bench) => own(bench, { slots: 256 }),
  'own loop, 64 slots, outcomes in batches': (bench) => own(bench, {}),
  'own loop, 64 slots, a transaction for each outcome': (bench) =>
    own(bench, { settleBatch: 1, settleWaitMs: 0 }),
  'graphile-worker': (bench) => withPeer(bench, (peer) => withGraphile(peer, false)),
  'graphile-worker with localQueue and batched completion': (bench) =>
    withPeer(bench, (peer) => withGraphile(peer, true)),
}

export async function run(): Promise<void> {
  await using database = await openThrowawayDatabase()
  await using domain = await openDomain({
    databaseUrl: database.url,
    poolSize: 10,
    secretKeys: `bench:${Buffer.alloc(32, 3).toString('base64')}`,
    notify: true,
    seconds: defaultSeconds,
    log,
    outbound: openOutbound(['127.0.0.1']),
  })
  await using receiver = await openBenchReceiver()
  await preparePeers(database.url)
  const bench = await setUp(database.url, domain, receiver)
  say(
    `${deliveries} deliveries of about 1 KB, 64 at a time, medians of ${rounds}, no waiting for the disk`,
  )
  const seconds = new Map<string, number[]>(Object.keys(setups).map((name) => [name, []]))
  // in turn, so that whatever else the machine does falls on all alike
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(setups)) {
      seconds.get(name)?.push(await measure(bench))
    }
  }
  for (const [name, taken] of seconds) row(name, perSecond(median(taken)))
  const plain = await withPeer(bench, withPlainBoss, few)
  row(`plain boss.work, 64 × batch 1 × 0.5 s (${few} deliveries, once)`, perSecond(plain, few))
  await latency(bench, true)
  await latency(bench, false)
  await hung(bench)
}

async function setUp(url: string, domain: Domain, receiver: BenchReceiver): Promise<Bench> {
  const workspaceId = await ensureWorkspace(domain, { slug: 'bench', name: 'Bench' })
  const member = { workspaceId, email: 'bench@example.com', name: 'bench', role: 'admin' } as const
  const userId = await ensureMember(domain, member)
  const order = { workspaceId, userId, label: 'own', preset: 'full', expiresInDays: 90 } as const
  const admin = personWith(domain, await issueToken(domain, order))
  const { project } = await admin.call('createProject', { name: 'Bench' })
  const { mission } = await admin.call('createMission', { projectId: project.id, title: 'Bench' })
  const { id, displayId, priority, revision, status, createdAt } = mission
  const event = {
    workspaceId,
    projectId: project.id,
    missionId: id,
    type: 'bench:event',
    // the title travels in full mode alone; the objective's in both
    snapshot: {
      mission: { id, displayId, priority, revision, title: 'Bench', status, createdAt },
      objective: { id, position: 1, title: padding.slice(0, 500), state: 'complete' },
    },
  } as const
  return { url, domain, admin, receiver, event }
}

async function subscribe({ admin, receiver }: Bench, paths: readonly string[]): Promise<void> {
  const { webhooks } = await admin.call('listWebhooks', { limit: 200 })
  for (const { id } of webhooks) await admin.call('deleteWebhook', { id })
  for (const path of paths) {
    await admin.call('createWebhook', {
      name: path,
      endpointUrl: `${receiver.url}${path}`,
      eventTypes: ['bench:event'],
    })
  }
}

const healthy = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

function publishMany({ domain, event }: Bench, count: number): Promise<void> {
  return inTransaction({ domain }, async (tx) => {
    for (let made = 0; made < count; made += 1) await publish(tx, event)
  })
}

async function until(receiver: BenchReceiver, count: number, patienceSeconds = 60): Promise<void> {
  const begun = performance.now()
  while (receiver.count() < count && performance.now() - begun < patienceSeconds * 1000) {
    await delay(2)
  }
}

async function own(bench: Bench, limits: Partial<DispatcherLimits>): Promise<number> {
  const { domain, receiver } = bench
  await subscribe(bench, healthy(subscribers))
  await publishMany(bench, deliveries / subscribers)
  while ((await fanOutDue(domain, defaultTiming)) > 0) continue
  receiver.reset()
  const begun = performance.now()
  await using dispatcher = startDispatcher({ domain, log, limits: { slots: 64, ...limits } })
  await dispatcher.drain()
  await until(receiver, deliveries)
  return (performance.now() - begun) / 1000
}

async function raw({ receiver }: Bench): Promise<number> {
  receiver.reset()
  const jobs = jobsFor(receiver, deliveries)
  const begun = performance.now()
  const worker = async () => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await post(job, padding)
  }
  await Promise.all(Array.from({ length: 64 }, worker))
  return (performance.now() - begun) / 1000
}

function jobsFor(receiver: BenchReceiver, count: number): PeerJob[] {
  return Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    url: `${receiver.url}/${index % subscribers}`,
  }))
}

async function withPeer(
  { url, receiver }: Bench,
  peer: (run: PeerRun) => Promise<number>,
  count = deliveries,
): Promise<number> {
  receiver.reset()
  const jobs = jobsFor(receiver, count)
  return peer({ url, receiver, jobs, padding, until: () => until(receiver, count) })
}

function perSecond(seconds: number, count = deliveries): string {
  return `${Math.round(count / seconds)}/s`
}

/** From the event's own time to its arrival, with little to do. */
async function latency(bench: Bench, hints: boolean): Promise<void> {
  const { domain, receiver } = bench
  await subscribe(bench, healthy(1))
  receiver.reset()
  await using _ = startDispatcher({ domain, log })
  const count = hints ? 200 : 40
  for (let made = 0; made < count; made += 1) {
    await publishMany(bench, 1)
    if (hints) domain.wake.tell('svc_outbox')
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
async function hung(bench: Bench): Promise<void> {
  const { domain, receiver } = bench
  for (const paths of [healthy(9), [...healthy(9), '/hang']]) {
    await subscribe(bench, paths)
    await publishMany(bench, 100)
    receiver.reset()
    const begun = performance.now()
    await using _ = startDispatcher({ domain, log })
    domain.wake.tell('svc_outbox')
    await until(receiver, 900, 20)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const name = paths.length === 9 ? 'nine endpoints' : 'nine endpoints beside one that hangs'
    row(name, `${receiver.count()} of 900 in ${seconds} s, ${percentiles(receiver.latencies())}`)
  }
}
