import { createClient } from '@svc/client/client'
import { advance } from '@svc/testing/clock'
import { openReceiver } from '@svc/testing/receiver'
import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { startCycles } from './support/cycles.ts'
import { claimLapsesMs, openDeployment } from './support/deployment.ts'
import { openForwarder } from './support/forwarder.ts'
import { followFeedOf } from './support/hearing.ts'
import { hasOwnPostgres, openPostgresPlace } from './support/own-postgres.ts'
import { heldIn } from './support/phases.ts'
import { until } from './support/until.ts'
import { expectWhole } from './support/whole.ts'

const clients = 4
const standbyName = 'standby'

test.skipIf(!hasOwnPostgres)(
  'a primary that dies under load and a synchronous standby in its place: all that was acknowledged is there, once',
  async () => {
    await using place = await openPostgresPlace()
    const primary = await place.create('primary', { wal_level: 'replica' })
    await using address = await openForwarder()
    address.lead(primary.port)
    await using service = await openDeployment({ databaseUrl: place.url(address.port) })
    await service.start()

    const data = place.folder('standby')
    const from = `${primary.url}?application_name=${standbyName}`
    await place.run('pg_basebackup', '-D', data, '-d', from, '-R', '--checkpoint=fast')
    const standby = await place.start(data, {})
    await primary.ask(`alter system set synchronous_standby_names = '${standbyName}'`)
    await primary.ask('select pg_reload_conf()')
    await until('the standby is synchronous', async () => {
      const [row] = await primary.ask('select sync_state from pg_stat_replication')
      return row?.['sync_state'] === 'sync'
    })

    const { baseUrl } = service
    const token = await service.token()
    const client = createClient({ baseUrl, token })
    await using receiver = await openReceiver()
    await client.call('createWebhook', {
      name: 'Chat',
      endpointUrl: receiver.url,
      eventTypes: ['mission.delivered'],
    })
    await using hearing = await followFeedOf(client)
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'delivering')
    const load = startCycles(clients, { baseUrl, token })
    const cycles = (count: number) => {
      const before = load.carried.length
      return until('every client goes on', () => load.carried.length >= before + count * clients, {
        details: service.api.started().output,
      })
    }
    await cycles(3)

    await primary.kill()
    gate.open()
    address.lead(standby.port)
    await until('the apps know a standby', async () => {
      const ready = await fetch(`${baseUrl}/readyz`)
      return ready.status === 503 && (await ready.text()).includes('primary')
    })
    await place.run('pg_ctl', 'promote', '-D', data)
    await cycles(3)
    await load.stop()

    for (const app of [service.api, service.dispatcher]) expect(app.started().isOver()).toBe(false)
    expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', generation: 1 })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })

    for (const { missionId, deliveryId } of load.carried) {
      const { deliveries } = await client.call('listDeliveries', { id: missionId })
      expect(deliveries.map(({ id }) => id)).toEqual([deliveryId])
    }
    const missions = new Set([...load.carried.map(({ missionId }) => missionId), scene.mission.id])
    const posts = () => Map.groupBy(receiver.posts, ({ body }) => body.id)
    // what was being handed on when the connections broke is claimed for so long
    await advance(service.domain.db, claimLapsesMs)
    await until('every delivery was posted', () => posts().size >= missions.size)
    expect(posts().size).toBe(missions.size)
    for (const sent of posts().values()) {
      expect(new Set(sent.map(({ raw }) => raw.toString())).size).toBe(1)
    }
    const heard = () => load.carried.map(({ deliveryId }) => hearing.deliveries(deliveryId))
    await until('the feed has told every delivery', () => heard().every((times) => times > 0))
    expect(new Set(heard())).toEqual(new Set([1]))
    await expectInvariants(service.domain.db)
  },
)
