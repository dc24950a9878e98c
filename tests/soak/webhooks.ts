import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Domain } from '@svc/domain/domain'
import type { OutboxEvent } from '@svc/domain/commit/outbox'
import { openOutbound } from '@svc/outbound/open-outbound'
import { advance } from '@svc/testing/clock'
import { enrol } from '@svc/domain/testing/enrol'
import { openProcess, secretKeys } from '@svc/domain/testing/open-process'
import { extensionEvent, publishMany } from '@svc/domain/testing/publish-many'
import { sql } from 'kysely'
import { shortLease } from './webhooks-dispatcher.ts'
import { type CountingReceiver, openCountingReceiver } from './webhooks-receiver.ts'

export interface SoakOptions {
  databaseUrl: string
  deliveries: number
  seed: number
  /** Between one disturbance and the next, at most. */
  calmMs: number
  /** Kills the database server and starts it again; left out where others use it too. */
  restartDatabase?: () => Promise<void>
  /** From then on nothing is published, disturbed or waited for, and nothing judged. */
  signal?: AbortSignal
  say: (text: string) => void
}

export interface Findings {
  seed: number
  deliveries: number
  posts: number
  kills: number
  pauses: number
  databaseKills: number
  /** Posts beyond the one that each attempt of the schedule needs. */
  duplicates: number
  lost: number
  otherBodies: number
  faulty: number
  /** Deliveries that break what must hold of every one: done, or waiting with a job. */
  broken: number
}

const subscriptions = 8
const dispatchers = 2
const dispatcherMain = fileURLToPath(new URL('webhooks-dispatcher.ts', import.meta.url))

/** Two dispatchers deliver while they are killed, paused and cut from their database; nothing may be lost. */
export async function soakWebhooks(options: SoakOptions): Promise<Findings> {
  const random = randomFrom(options.seed)
  await using opened = new AsyncDisposableStack()
  const domain = opened.use(await openSoakDomain(options.databaseUrl))
  const secrets: string[] = []
  const receiver = opened.use(await openCountingReceiver(secrets, random))
  const event = await setUp(domain, receiver, secrets)

  const children = Array.from({ length: dispatchers }, () => startChild(options.databaseUrl))
  opened.defer(async () => {
    for (const child of children) await end(child)
  })
  const found: Findings = {
    seed: options.seed,
    deliveries: options.deliveries,
    posts: 0,
    kills: 0,
    pauses: 0,
    databaseKills: 0,
    duplicates: 0,
    lost: 0,
    otherBodies: 0,
    faulty: 0,
    broken: 0,
  }
  const isOver = new AbortController()
  const publishing = publishAll(domain, event, options, random)
  const disturbing = disturb(children, options, { random, found, signal: isOver.signal })
  await publishing
  if (!options.signal?.aborted) await untilQuiet(domain, receiver, 60_000)
  isOver.abort()
  await disturbing
  if (!options.signal?.aborted) await finish(domain, receiver, options)
  const judged = await judge(domain, receiver, found)
  // what was under way then is not lost
  return options.signal?.aborted ? { ...judged, lost: 0, broken: 0 } : judged
}

function openSoakDomain(databaseUrl: string): Promise<Domain> {
  const log = { warn: () => undefined, error: () => undefined }
  const outbound = openOutbound(['*@127.0.0.1'])
  return openProcess(databaseUrl, { poolSize: 4, log, outbound })
}

async function setUp(
  domain: Domain,
  receiver: CountingReceiver,
  secrets: string[],
): Promise<OutboxEvent> {
  const owner = await enrol(domain, { workspace: 'soak', name: 'owner' })
  for (let index = 0; index < subscriptions; index += 1) {
    const { secret } = await owner.call('createWebhook', {
      name: `Hook ${index}`,
      endpointUrl: `http://127.0.0.1:${receiver.port}/${index}`,
      eventTypes: ['soak:event'],
      payloadMode: index % 2 === 0 ? 'thin' : 'full',
    })
    secrets.push(secret)
  }
  return extensionEvent(owner, 'soak:event')
}

/** Publishes in waves, so that work is there whenever something is killed. */
async function publishAll(
  domain: Domain,
  event: OutboxEvent,
  { deliveries, signal }: SoakOptions,
  random: () => number,
): Promise<void> {
  let left = Math.ceil(deliveries / subscriptions)
  while (left > 0 && !signal?.aborted) {
    const wave = Math.min(left, 1 + Math.floor(random() * 20))
    try {
      await publishMany(domain, event, wave)
      left -= wave
    } catch {
      await delay(200) // the database was killed
    }
    await delay(random() * 150)
  }
}

function startChild(databaseUrl: string): ChildProcess {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_PARENT_WATCH: '1',
  }
  return spawn(process.execPath, [dispatcherMain], { env, stdio: 'ignore' })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGCONT')
  child.kill('SIGKILL')
  await gone
}

async function disturb(
  children: ChildProcess[],
  options: SoakOptions,
  { random, found, signal }: { random: () => number; found: Findings; signal: AbortSignal },
): Promise<void> {
  const resumed: Promise<unknown>[] = []
  while (!signal.aborted && !options.signal?.aborted) {
    await delay(options.calmMs * (0.2 + 0.8 * random()), undefined, { signal }).catch(
      () => undefined,
    )
    if (signal.aborted) break
    const index = Math.floor(random() * children.length)
    const child = children[index]
    const drawn = random()
    if (drawn < 0.1 && options.restartDatabase) {
      found.databaseKills += 1
      await options.restartDatabase()
    } else if (drawn < 0.4) {
      found.pauses += 1
      child?.kill('SIGSTOP')
      // the others go on being killed meanwhile
      const pauseMs = random() * (shortLease.leaseSeconds + 3) * 1000
      resumed.push(delay(pauseMs).then(() => child?.kill('SIGCONT')))
    } else if (child) {
      found.kills += 1
      await end(child)
      children[index] = startChild(options.databaseUrl)
    }
  }
  if (!options.signal?.aborted) await Promise.all(resumed)
}

async function countOpen(
  domain: Domain,
): Promise<{ events: number; due: number; pending: number }> {
  const { rows } = await sql<{ events: number; due: number; pending: number }>`
    select (select count(*)::int from webhook_events where fanned_out_at is null) as events,
           (select count(*)::int from webhook_deliveries
             where state = 'pending' and next_attempt_at <= app.now()) as due,
           (select count(*)::int from webhook_deliveries where state = 'pending') as pending`.execute(
    domain.db,
  )
  return rows[0] ?? { events: 0, due: 0, pending: 0 }
}

/** Until nothing arrives any more, and nothing that is due has a chance to. */
async function untilQuiet(domain: Domain, receiver: CountingReceiver, patienceMs: number) {
  const begun = performance.now()
  while (performance.now() - begun < patienceMs) {
    await delay(250)
    const open = await countOpen(domain).catch(() => undefined)
    const silence = performance.now() - receiver.lastAt
    if (open?.due === 0 && open.events === 0 && silence > 500) return
    // what is left lies with a claim of somebody dead
    if (silence > (shortLease.leaseSeconds + 4) * 1000) return
  }
}

/** Undisturbed from here on: lapsed claims come back, refused deliveries come due, until all are there. */
async function finish(
  domain: Domain,
  receiver: CountingReceiver,
  { say, signal }: SoakOptions,
): Promise<void> {
  receiver.trouble = 0
  for (let round = 0; round < 12 && !signal?.aborted; round += 1) {
    await untilQuiet(domain, receiver, 60_000)
    const { events, pending } = await countOpen(domain)
    if (events === 0 && pending === 0) return
    say(`  ${events} events and ${pending} deliveries are still open; time passes`)
    // past the lease of an event, the first delays, and what the sweep waits for
    await advance(domain.db, 61_000 + round * 120_000)
    await delay(2_500)
  }
}

async function judge(
  domain: Domain,
  receiver: CountingReceiver,
  found: Findings,
): Promise<Findings> {
  const { rows } = await sql<{ id: string; state: string; attempts: number }>`
    select id, state, attempts from webhook_deliveries where kind = 'event'`.execute(domain.db)
  const heard = rows.map((row) => ({ row, heard: receiver.heard.get(row.id) }))
  const made = Math.ceil(found.deliveries / subscriptions) * subscriptions
  const all = [...receiver.heard.values()]
  const { events } = await countOpen(domain)
  return {
    ...found,
    deliveries: made,
    posts: all.reduce((sum, one) => sum + one.posts, 0),
    duplicates: all.reduce((sum, one) => sum + one.posts - one.refused - 1, 0),
    lost: made - heard.filter((one) => one.heard !== undefined).length,
    otherBodies: all.filter((one) => one.bodies.size > 1).length,
    faulty: receiver.faulty,
    broken: events + rows.filter((row) => row.state !== 'delivered').length,
  }
}

/** mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
