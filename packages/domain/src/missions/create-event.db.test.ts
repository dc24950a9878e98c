import { test } from '../testing/hooked-world.ts'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'

const event = { type: 'deploy:finished', summary: 'Deployed', data: { build: 714 } }

describe('an event that somebody writes on a mission', () => {
  test(
    verifies(
      'event.open-vocabulary',
      'is in its history, and goes to the subscribers of its type and to no others',
    ),
    async ({ hooked }) => {
      const { alice, world, subscribe, deliverDue, log } = hooked
      const { mission, project } = await world.missionWith([])
      const other = await world.projectWith()
      const wanted = await subscribe({ eventTypes: ['deploy:finished'] })
      const ofProject = { eventTypes: ['deploy:finished' as const], projectId: project.id }
      const also = await subscribe({ ...ofProject, payloadMode: 'full' })
      const unwanted = [
        await subscribe({ eventTypes: ['deploy:failed', 'mission.delivered'] }),
        await subscribe({ ...ofProject, projectId: other.id }),
      ]

      const written = await alice.call('createMissionEvent', { id: mission.displayId, ...event })
      await deliverDue()

      const actor = { name: 'alice', role: 'person' }
      expect(written.event).toMatchObject({ ...event, missionId: mission.id, actor })
      expect(await alice.eventsOf(mission)).toEqual([written.event])
      expect(await log(wanted)).toMatchObject([{ type: 'deploy:finished', state: 'delivered' }])
      expect(await log(also)).toMatchObject([{ type: 'deploy:finished', state: 'delivered' }])
      for (const one of unwanted) expect(await log(one)).toEqual([])
      const bodies = hooked.receiver.posts.map(({ body }) => body)
      const envelope = { type: 'deploy:finished', mission: { id: mission.id } }
      expect(bodies.filter((body) => body.type === 'deploy:finished')).toMatchObject([
        envelope,
        envelope,
      ])
      const full = bodies.filter((body) => 'missionEvents' in body)
      const missionEvents = [{ id: written.event.id, summary: 'Deployed' }]
      expect(full).toMatchObject([{ missionEvents }])
    },
  )

  test.for(['svc:run_failed', 'deploy', 'Deploy:done', 'mission.delivered', 'a:b:c'])(
    'may not be named %s',
    async (type, { hooked }) => {
      const { mission } = await hooked.world.missionWith([])
      const id = mission.id
      await expect(hooked.alice.call('createMissionEvent', { id, ...event, type })).rejects.toThrow(
        type.startsWith('svc:') ? "the service's own" : '<namespace>:<name>',
      )
    },
  )

  test('keeps no token that got into it, and 16 KiB of data at most', async ({ hooked }) => {
    const { alice } = hooked
    const { mission } = await hooked.world.missionWith([])
    const write = (data: Record<string, string>) =>
      alice.call('createMissionEvent', { id: mission.id, ...event, data })
    const { event: written } = await write({ log: `curl -H "${alice.token}"` })
    expect(JSON.stringify(written)).not.toContain(alice.token)
    await expect(write({ log: 'x'.repeat(16 * 1024) })).rejects.toThrow('16 KiB')
  })

  test('is written once under one key', async ({ hooked }) => {
    const { mission } = await hooked.world.missionWith([])
    const write = () =>
      hooked.alice.call(
        'createMissionEvent',
        { id: mission.id, ...event },
        { idempotencyKey: 'one' },
      )
    const [first, ...others] = await Promise.all([write(), write(), write()])
    expect(others).toEqual([first, first])
    expect(await hooked.alice.eventsOf(mission)).toHaveLength(1)
  })

  test('is written by those who may change the mission', async ({ hooked }) => {
    const { world } = hooked
    const { mission } = await world.missionWith([])
    const write = { id: mission.id, ...event }
    await expect(world.vera.call('createMissionEvent', write)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.carla.call('createMissionEvent', write)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.bob.call('createMissionEvent', write)
  })
})
