import { createClient } from '@svc/client/client'
import { listen } from '@svc/db/listen'
import { channels } from '@svc/domain/jobs/wake-hub'
import { advance } from '@svc/testing/clock'
import { openReceiver } from '@svc/testing/receiver'
import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { asking, untilAsked } from './support/asking.ts'
import { startCycles } from './support/cycles.ts'
import { claimLapsesMs, openDeployment } from './support/deployment.ts'
import { followFeedOf } from './support/hearing.ts'
import { hasOwnPostgres, openPostgresPlace } from './support/own-postgres.ts'
import { hasPooler, openPooler } from './support/pooler.ts'
import { until } from './support/until.ts'

const clients = 4
/** Of the pooler to the server, for all processes of the service. */
const connections = 2

/** What the pooler does not pass on when a connection begins. */
const timeLimits = {
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '30s',
}

test.skipIf(!hasOwnPostgres || !hasPooler)(
  'behind PgBouncer in transaction mode, without prepared statements, the service does all that it does, also when it restarts',
  async () => {
    await using place = await openPostgresPlace()
    const server = await place.create('server', {})
    for (const [name, limit] of Object.entries(timeLimits)) {
      await server.ask(`alter role svc set ${name} = '${limit}'`)
    }
    const pooler = await openPooler(place, server, connections)
    await pooler.start()
    const addresses = { databaseUrl: pooler.url, directUrl: server.url }
    await using service = await openDeployment(addresses, {
      SVC_DATABASE_DIRECT_URL: server.url,
      SVC_PREPARED_STATEMENTS: 'off',
    })
    await service.start()

    const { baseUrl } = service
    const token = await service.token()
    const client = createClient({ baseUrl, token })
    await using receiver = await openReceiver()
    await client.call('createWebhook', {
      name: 'Chat',
      endpointUrl: receiver.url,
      eventTypes: ['mission.delivered', 'mission.blocked'],
    })
    await using hearing = await followFeedOf(client)
    const hints: string[] = []
    await using _hinted = listen({
      url: server.url,
      channels: [channels.changes, channels.outbox],
      onNotify: (channel) => hints.push(channel),
      onError: (error) => {
        throw error
      },
    })
    const listeners = `select 1 from pg_stat_activity where query like 'listen "svc%'`
    await until('both apps and this test listen', async () => {
      return (await server.ask(listeners)).length === 3
    })

    await using scene = await service.scene(asking)
    const machine = await scene.machine()
    await scene.launch()
    const { id } = await untilAsked(scene)
    await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
    await scene.client.call('answerQuestion', { id, text: 'English.' })
    expect(await scene.untilEnded()).toMatchObject({ kind: 'resume', outcome: 'delivered' })
    await machine.settled()

    const load = startCycles(clients, { baseUrl, token })
    const cycles = (count: number) => {
      const before = load.carried.length
      return until('every client goes on', () => load.carried.length >= before + count * clients)
    }
    await cycles(3)
    await pooler.kill()
    await pooler.start()
    await cycles(3)
    await load.stop()

    for (const app of [service.api, service.dispatcher]) expect(app.started().isOver()).toBe(false)
    const types = () => receiver.posts.map(({ body }) => body.type)
    const wanted = load.carried.length + 2
    const ids = () => new Set(receiver.posts.map(({ body }) => body.id))
    // what was being handed on when the connections broke is claimed for so long
    await advance(service.domain.db, claimLapsesMs)
    await until('every webhook came', () => ids().size >= wanted)
    expect(ids().size).toBe(wanted)
    expect(types()).toContain('mission.blocked')
    const heard = () => load.carried.map(({ deliveryId }) => hearing.deliveries(deliveryId))
    await until('the feed has told every delivery', () => heard().every((times) => times > 0))
    expect(new Set(heard())).toEqual(new Set([1]))
    expect(new Set(hints)).toEqual(new Set([channels.changes, channels.outbox]))
    await expectInvariants(service.domain.db)
  },
)
