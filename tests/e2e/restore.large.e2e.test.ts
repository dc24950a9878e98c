import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { readRunOrder } from '@svc/runner/run/run-folder'
import { advance } from '@svc/testing/clock'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { type Carried, startCycles } from './support/cycles.ts'
import { openDeployment } from './support/deployment.ts'
import { openForwarder } from './support/forwarder.ts'
import { receiveEvents } from './support/hearing.ts'
import { hasOwnPostgres, openPostgresPlace } from './support/own-postgres.ts'
import type { Machine } from './support/machine.ts'
import { stopIn } from './support/phases.ts'
import { until } from './support/until.ts'

const staying = { instructions: ['Stay.\nscripted: hang-after-attach'] }
const both = { repository: true, parallel: true, instructions: ['Under way.', 'Queued.'] }

/** A run whose runner is silent for so long is lost; and no more than what a sweep takes for an outage of its own. */
const silence = { SVC_STALE_SECONDS: '10', SVC_LOST_SECONDS: '20' }
const silentMs = 25_000

test.skipIf(!hasOwnPostgres)(
  'restored to a point in time with runs in flight: what was there is, what was lost is refused by name, and all goes on',
  { timeout: 900_000 },
  async () => {
    await using place = await openPostgresPlace()
    const archive = place.folder('archive')
    const primary = await place.create('primary', {
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    })
    await using address = await openForwarder()
    address.lead(primary.port)
    await using service = await openDeployment({ databaseUrl: place.url(address.port) }, silence)
    const { baseUrl, domain } = service
    await service.start()
    const before = { baseUrl, token: await service.token({ person: 'carrier' }) }
    await using receiver = await receiveEvents(createClient(before), [
      'mission.delivered',
      'objective.completed',
    ])
    /** Objectives that come through now. */
    const carry = async (): Promise<readonly Carried[]> => {
      const cycles = startCycles(1, before)
      await until('one was carried', () => cycles.carried.length > 0)
      await cycles.stop()
      return cycles.carried
    }
    const isPosted = ({ missionId }: Carried) =>
      receiver.posts.some(({ raw }) => raw.toString().includes(missionId))

    // in the backup: a run before its delivery, and one that waits for the only place of its runner
    await using scene = await service.scene(both)
    const [underWay, queued] = scene.objectives
    if (!underWay || !queued) throw new Error('the mission has two objectives')
    const machine = await scene.machine({ max: 1, isSignedIn: true })
    const gate = stopIn(machine, 'delivering')
    const first = await scene.launch('scripted', undefined, underWay)
    await gate.arrived
    const second = await scene.launch('scripted', undefined, queued)
    await using gone = await service.scene(staying)
    const early = await carry()
    const backup = place.folder('backup')
    await place.run('pg_basebackup', '-D', backup, '-d', primary.url, '--checkpoint=fast')
    await place.run('pg_verifybackup', backup)

    // after it: work that the archive alone has, the last of it before its events were handed on
    const late = await carry()
    await until('their events were handed on', () => late.every(isPosted))
    service.dispatcher.started().kill()
    await service.dispatcher.started().ended
    const unsent = await carry()
    await primary.ask("select pg_create_restore_point('noted')")

    // what is lost: events that consumers have, deliveries, and a run whose agent goes on
    await service.dispatcher.start()
    await until('the events of before were handed on', () => unsent.every(isPosted))
    gate.open()
    for (const { id } of [first, second]) await scene.untilOver(id)
    const lost = await carry()
    const stranger = await gone.machine({ isSignedIn: true })
    await gone.launch()
    const attached = await gone.untilRequest('attached', ({ sessionId }) => sessionId !== null)
    await until('those were handed on', () => lost.every(isPosted))
    const [wal] = await primary.ask('select pg_walfile_name(pg_switch_wal()) as file')
    await until('all of it is archived', async () => {
      const [row] = await primary.ask('select last_archived_wal as file from pg_stat_archiver')
      return String(row?.['file']) >= String(wal?.['file'])
    })
    await service.stop()
    await primary.kill()
    const postsBefore = [...receiver.posts]

    const restored = place.folder('restored')
    await place.run('/bin/cp', '-a', `${backup}/.`, restored)
    await place.run('/usr/bin/touch', join(restored, 'recovery.signal'))
    const server = await place.start(restored, {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_name: 'noted',
      recovery_target_action: 'promote',
    })
    await until('it has recovered', async () => {
      const [row] = await server.ask('select pg_is_in_recovery() as recovers')
      return row?.['recovers'] === false
    })
    address.lead(server.port)
    await expectInvariants(domain.db)
    // the changes of before are what invariants compare with, and go now
    await sql`create table changes_of_before as select * from entity_changes`.execute(domain.db)

    expect(await service.admin('after-restore')).toContain('This would end')
    const ended = JSON.parse(await service.admin('after-restore', '--yes', '--json'))
    expect(ended).toMatchObject({ isDry: false, leases: 2, violations: [] })
    await service.start()

    // whoever had a token signs in anew
    await expect(scene.client.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    const signInAgain = async (person: string) => {
      const token = await service.token({ person })
      return {
        client: createClient({ baseUrl, token }),
        runner: await service.token({ person, preset: 'runner' }),
      }
    }
    /** What the first run of a machine is told of its lease. */
    const renewalOf = async ({ runner }: { runner: string }, { runs }: Machine) => {
      const { assignment, leaseToken, instanceId } = readRunOrder(runs()[0]?.folder ?? '')
      const requestId = assignment.executionRequest.id
      const leases = [{ requestId, leaseToken, state: 'running' as const }]
      const asked = createClient({ baseUrl, token: runner })
      const answer = await asked.call('heartbeatRunner', { instanceId, leases })
      return answer.leases[0]
    }
    const me = await signInAgain(scene.person)
    const other = await signInAgain(gone.person)

    const deliveriesOf = async ({ missionId: id }: Carried) =>
      (await me.client.call('listDeliveries', { id })).deliveries.map((one) => one.id)
    for (const one of [...early, ...late, ...unsent]) {
      expect(await deliveriesOf(one)).toEqual([one.deliveryId])
    }
    for (const one of lost) {
      await expect(deliveriesOf(one)).rejects.toMatchObject({ code: 'not_found' })
    }

    await until('a runner without a run asks somebody to sign in', () => machine.daemon().isOver())
    machine.signIn(me.runner)
    machine.start()

    // the agent of a run that is lost is ended, and its report refused by name
    await until('its runner asks, too', () => stranger.daemon().isOver())
    expect((await stranger.daemon().ended).code).toBe(3)
    stranger.signIn(other.runner)
    stranger.start()
    await stranger.settled()
    expect(await renewalOf(other, stranger)).toMatchObject({ ok: false, reason: 'not_found' })
    expect(await renewalOf(me, machine)).toMatchObject({ ok: false, reason: 'superseded' })
    await expect(
      other.client.call('getExecutionRequest', { id: attached.id }),
    ).rejects.toMatchObject({ code: 'not_found' })

    // what was queued is claimed anew, in a generation that no lost run had
    const runOf = async (id: string) =>
      (await me.client.call('getExecutionRequest', { id })).executionRequest
    const over = (id: string) =>
      until('the run is over', async () => {
        const run = await runOf(id)
        return run.endedAt === null ? undefined : run
      })
    expect(await over(second.id)).toMatchObject({ outcome: 'delivered' })
    expect((await runOf(second.id)).generation).toBeGreaterThan(1_000)
    // what was under way counts as lost, and is launched anew
    await advance(domain.db, silentMs)
    await until('it is lost', async () => (await runOf(first.id)).outcome === 'lost')
    const { executionRequest: anew } = await me.client.call('launchObjective', {
      id: underWay.id,
      agent: 'scripted',
    })
    expect(await over(anew.id)).toMatchObject({ outcome: 'delivered' })
    await machine.settled()
    expect((await me.client.call('getMission', { id: scene.mission.id })).mission.phase).toBe(
      'review',
    )

    // an event of before the moment keeps its id and body; what happened anew is newer than all that was seen
    const isOf = (ids: ReadonlySet<string>) => (post: { body: { id: string } }) =>
      ids.has(post.body.id)
    const unsentIds = new Set(
      postsBefore
        .filter(({ raw }) => unsent.some((one) => raw.toString().includes(one.missionId)))
        .map(({ body }) => body.id),
    )
    await until('what was not handed on comes again', () => {
      const again = receiver.posts.slice(postsBefore.length).filter(isOf(unsentIds))
      return new Set(again.map(({ body }) => body.id)).size === unsentIds.size
    })
    await until('the deliveries made anew have come', () =>
      [underWay, queued].every(({ id }) =>
        receiver.posts
          .slice(postsBefore.length)
          .some(({ body, raw }) => body.type === 'objective.completed' && raw.includes(id)),
      ),
    )
    const seen = new Set(postsBefore.map(({ body }) => body.id))
    const fresh = receiver.posts.slice(postsBefore.length).filter((post) => !isOf(seen)(post))
    const newest = Math.max(...postsBefore.map(({ body }) => Number(body['sequence'])))
    expect(fresh.filter(({ body }) => Number(body['sequence']) <= newest)).toEqual([])
    expect(fresh.every(({ raw }) => raw.includes(scene.mission.id))).toBe(true)
    for (const posts of Map.groupBy(receiver.posts, ({ body }) => body.id).values()) {
      expect(new Set(posts.map(({ raw }) => raw.toString())).size).toBe(1)
    }

    await service.stop()
    await sql`insert into entity_changes overriding system value select * from changes_of_before`.execute(
      domain.db,
    )
    await expectInvariants(domain.db)
  },
)
