import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { openDeployment } from './support/deployment.ts'
import { openForwarder } from './support/forwarder.ts'
import { openHeardLoad } from './support/heard-load.ts'
import { hasOwnPostgres, openPostgresPlace } from './support/own-postgres.ts'
import { heldIn } from './support/phases.ts'
import { until } from './support/until.ts'
import { expectWhole } from './support/whole.ts'

const standbyName = 'standby'

test.skipIf(!hasOwnPostgres)(
  'a primary that dies under load and a synchronous standby in its place: all that was acknowledged is there, once',
  async () => {
    await using place = await openPostgresPlace()
    const primary = await place.create('primary', { wal_level: 'replica' })
    await using address = await openForwarder()
    address.lead(primary.port)
    // a lease runs on while there is no primary, and none is to lapse here
    const more = { SVC_LEASE_SECONDS: '60' }
    await using service = await openDeployment({ databaseUrl: place.url(address.port) }, more)
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

    await using workspace = await openHeardLoad(service, ['mission.delivered'])
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'delivering')
    const load = workspace.start()
    await load.goOn(3)

    await primary.kill()
    gate.open()
    address.lead(standby.port)
    await until('the apps know a standby', async () => {
      const ready = await fetch(`${service.baseUrl}/readyz`)
      return ready.status === 503 && (await ready.text()).includes('primary')
    })
    await place.run('pg_ctl', 'promote', '-D', data)
    await load.goOn(3)
    const carried = await load.stop()

    for (const app of [service.api, service.dispatcher]) expect(app.started().isOver()).toBe(false)
    expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', generation: 1 })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })

    for (const { missionId, deliveryId } of carried) {
      const { deliveries } = await workspace.client.call('listDeliveries', { id: missionId })
      expect(deliveries.map(({ id }) => id)).toEqual([deliveryId])
    }
    await load.expectHeard(1)
    await expectInvariants(service.domain.db)
  },
)
