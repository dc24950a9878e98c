import { ExtensionEventType } from '@svc/contracts/events'
import { snapshotOf, test } from '../testing/hooked-world.ts'
import { jobsOf, outboxOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import type { World } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { lockMission } from '../lifecycle/locks.ts'
import { type OutboxEvent, publish } from './outbox.ts'
import { inTransaction, savepoint } from './transaction.ts'
import { createWakeHub } from '../jobs/wake-hub.ts'
import type { UnitOfWork } from './unit-of-work.ts'

describe('an event of the outbox', () => {
  test(
    verifies('webhook.outbox-first', 'and its job are there once the transaction has committed'),
    async ({ hooked }) => {
      const { world } = hooked
      await hooked.subscribe()
      const { mission } = await world.missionWith([])
      const id = await inTransaction(world, (tx) => publishOne(tx, world, mission))
      expect(await outboxOf(world, mission)).toMatchObject([
        {
          id,
          type: 'mission.status_changed',
          snapshot: { mission: { id: mission.id } },
          fanned_out_at: null,
          project_id: mission.projectId,
        },
      ])
      expect(await jobsOf(world, [{ id }])).toEqual([
        { id, name: 'webhook.event', data: { workspaceId: world.workspaceId, eventId: id } },
      ])
    },
  )

  test.for([
    { of: 'of a type that none is to hear of', hook: { eventTypes: ['mission.blocked'] } },
    { of: 'of another project', hook: { project: 'other' } },
  ] as const)('$of is there, and leaves no job', async ({ hook }, { hooked }) => {
    const { world } = hooked
    const { project } = await world.missionWith([])
    const other = 'project' in hook
    await hooked.subscribe(other ? { projectId: project.id } : { eventTypes: [...hook.eventTypes] })
    const { mission } = await world.missionWith([])
    const id = await inTransaction(world, (tx) => publishOne(tx, world, mission))
    expect(await jobsOf(world, [{ id }])).toEqual([])
    const [event] = await outboxOf(world, mission)
    expect(event).toMatchObject({ id, fanned_out_at: expect.any(Date) })
    // it has been handed on: a webhook that is made later hears nothing of it
    const later = await hooked.subscribe()
    await hooked.deliverDue()
    expect(await hooked.log(later)).toEqual([])
  })

  test('that a disabled webhook is to hear of leaves a job, so that it is held', async ({
    hooked,
  }) => {
    const { world, alice } = hooked
    const hook = await hooked.subscribe()
    await alice.call('disableWebhook', hook)
    const { mission } = await world.missionWith([])
    const id = await inTransaction(world, (tx) => publishOne(tx, world, mission))
    expect(await jobsOf(world, [{ id }])).toMatchObject([{ id }])
  })

  test('and its job are gone with a transaction that rolled back', async ({ hooked }) => {
    const { world } = hooked
    await hooked.subscribe()
    const { mission } = await world.missionWith([])
    let id = ''
    const failing = inTransaction(world, async (tx) => {
      id = await publishOne(tx, world, mission)
      // answered after what was sent before it
      await sql`select`.execute(tx)
      expect(await jobsOf(world, [{ id }])).toEqual([])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await outboxOf(world, mission)).toEqual([])
    expect(await jobsOf(world, [{ id }])).toEqual([])
  })

  test('and its job are gone with a part that is undone, and those of the other parts stay, once', async ({
    hooked,
  }) => {
    const { world } = hooked
    await hooked.subscribe()
    const { mission } = await world.missionWith([])
    const ids = await inTransaction(world, async (tx) => {
      const kept = [await publishOne(tx, world, mission)]
      const more = () => publish(tx, eventOf(world, mission))
      const undone: string[] = []
      await savepoint(tx, async () => {
        undone.push(more())
        // an inner part writes what was told before it, which the outer one then undoes
        await savepoint(tx, async () => undone.push(more()))
        undone.push(more())
        throw new Error('no')
      })
      await savepoint(tx, async () => kept.push(more()))
      kept.push(more())
      return { kept, undone }
    })
    const written = (await outboxOf(world, mission)).map((event) => event.id)
    expect(written.toSorted()).toEqual(ids.kept.toSorted())
    const named = [...ids.kept, ...ids.undone].map((id) => ({ id }))
    const jobs = (await jobsOf(world, named)).map((job) => job.id)
    expect(jobs.toSorted()).toEqual(ids.kept.toSorted())
  })

  test('of an extension has its own type', async ({ world }) => {
    const { mission } = await world.missionWith([])
    await inTransaction(world, async (tx) => {
      await lockMission(tx, world.workspaceId, mission.id)
      publish(tx, { ...eventOf(world, mission), type: ExtensionEventType.parse('acme:thing') })
    })
    expect(await outboxOf(world, mission)).toMatchObject([{ type: 'acme:thing' }])
  })

  test('is told by nobody who has not locked its mission', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const publishing = inTransaction(world, async (tx) => publish(tx, eventOf(world, mission)))
    await expect(publishing).rejects.toThrow('no mission is locked')
  })

  test('wakes who waits for the outbox, after the commit and not before', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const order: string[] = []
    // a hub of its own, which no late hint of an earlier event reaches
    await using wake = createWakeHub(null, world.domain.log)
    const woken = wake.wait('svc_outbox', 2 ** 30).then(() => order.push('woken'))
    await inTransaction({ domain: { ...world.domain, wake } }, async (tx) => {
      await publishOne(tx, world, mission)
      await sql`select 1`.execute(tx)
      order.push('written')
    })
    await woken
    expect(order).toEqual(['written', 'woken'])
  })
})

test('an event with the parts of another one does not compile', () => {
  const about = { workspaceId: '', projectId: '', missionId: '', snapshot: snapshotOf('') }
  const moved: OutboxEvent = { ...about, type: 'mission.status_changed' }
  // @ts-expect-error -- the snapshot lacks the queue that paused
  const paused: OutboxEvent = { ...about, type: 'svc:queue_paused' }
  expect([moved.snapshot, paused.snapshot]).toEqual([about.snapshot, about.snapshot])
})

async function publishOne(
  tx: UnitOfWork,
  world: World,
  mission: { id: string; projectId: string },
) {
  await lockMission(tx, world.workspaceId, mission.id)
  return publish(tx, eventOf(world, mission))
}

function eventOf(world: World, mission: { id: string; projectId: string }) {
  return {
    workspaceId: world.workspaceId,
    projectId: mission.projectId,
    missionId: mission.id,
    type: 'mission.status_changed',
    snapshot: snapshotOf(mission.id),
  } as const
}
