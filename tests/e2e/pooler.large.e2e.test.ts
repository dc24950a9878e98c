import { listen } from '@svc/db/listen'
import { channels } from '@svc/domain/jobs/wake-hub'
import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { asking, untilAsked } from './support/asking.ts'
import { openDeployment } from './support/deployment.ts'
import { openHeardLoad } from './support/heard-load.ts'
import { hasOwnPostgres, openPostgresPlace } from './support/own-postgres.ts'
import { hasPooler, openPooler } from './support/pooler.ts'
import { until } from './support/until.ts'

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

    await using workspace = await openHeardLoad(service, ['mission.delivered', 'mission.blocked'])
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

    const load = workspace.start()
    await load.goOn(3)
    await pooler.kill()
    await pooler.start()
    await load.goOn(3)
    await load.stop()

    for (const app of [service.api, service.dispatcher]) expect(app.started().isOver()).toBe(false)
    await load.expectHeard(2)
    expect(workspace.receiver.posts.map(({ body }) => body.type)).toContain('mission.blocked')
    expect(new Set(hints)).toEqual(new Set([channels.changes, channels.outbox]))
    await expectInvariants(service.domain.db)
  },
)
