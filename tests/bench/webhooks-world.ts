import { setTimeout as delay } from 'node:timers/promises'
import type { Domain } from '@svc/domain/domain'
import type { OutboxEvent } from '@svc/domain/commit/outbox'
import { createLog } from '@svc/process/log'
import { openOutbound } from '@svc/outbound/open-outbound'
import { enrol } from '@svc/domain/testing/enrol'
import { openProcess } from '@svc/domain/testing/open-process'
import type { Person } from '@svc/domain/testing/people'
import { extensionEvent } from '@svc/domain/testing/publish-many'
import { type ThrowawayDatabase, openThrowawayDatabase } from '@svc/tests/soak/database'
import { preparePeers } from './webhooks-peers.ts'
import { type BenchReceiver, openBenchReceiver } from './webhooks-receiver.ts'

/** Makes a payload of about 1 KB. */
export const padding = 'x'.repeat(900)
export const log = createLog({ name: 'bench', level: 'error' })

export interface Bench extends AsyncDisposable {
  database: ThrowawayDatabase
  domain: Domain
  admin: Person
  receiver: BenchReceiver
  event: OutboxEvent
}

/** `durable`: PostgreSQL waits for the disk at every commit. */
export async function openBench(durable: boolean): Promise<Bench> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openThrowawayDatabase({ durable }))
  const changes = { poolSize: 10, log, outbound: openOutbound(['*@127.0.0.1']) }
  const domain = opened.use(await openProcess(database.url, changes))
  const receiver = opened.use(await openBenchReceiver())
  await preparePeers(database.url)
  const admin = await enrol(domain, { workspace: 'bench', name: 'bench' })
  const { snapshot, ...event } = await extensionEvent(admin, 'bench:event')
  // the title travels in full mode alone; the objective's in both
  const objective = {
    id: event.missionId,
    position: 1,
    title: padding.slice(0, 500),
    state: 'complete',
  } as const
  const resources = opened.move()
  return {
    database,
    domain,
    receiver,
    admin,
    event: { ...event, snapshot: { ...snapshot, objective } },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export async function subscribe(
  { admin, receiver }: Bench,
  paths: readonly string[],
): Promise<void> {
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

export const healthy = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

export async function until(
  receiver: BenchReceiver,
  count: number,
  patienceSeconds = 60,
): Promise<void> {
  const begun = performance.now()
  while (receiver.count() < count && performance.now() - begun < patienceSeconds * 1000) {
    await delay(2)
  }
}
