import { outboxOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a status move', () => {
  test(
    verifies(
      ['status.move', 'event.mission-status-changed'],
      'gives the chosen status and is told once',
    ),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith([])
      const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
      const done = statuses.find((one) => one.type === 'complete')
      const move = () => alice.call('moveMission', { id: mission.id, statusId: done?.id ?? '' })

      const moved = await move()
      const again = await world.rowsWrittenBy(move)

      expect(moved.mission).toMatchObject({
        status: { id: done?.id, type: 'complete', label: 'Done' },
        phase: 'complete',
      })
      expect(again).toEqual({ rows: [], refusal: undefined })
      expect(await outboxOf(world, mission)).toMatchObject([
        {
          type: 'mission.status_changed',
          snapshot: { mission: { id: mission.id, status: { type: 'complete', label: 'Done' } } },
        },
      ])
      expect((await alice.eventsOf(mission))[0]).toMatchObject({
        type: 'status_change',
        actor: { role: 'person' },
        data: { from: 'draft', to: 'complete' },
      })
    },
  )

  test(
    verifies('mission.status-of-project', 'to a status of another project is refused'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const other = await world.projectWith()
      const { statuses } = await alice.call('listProjectStatuses', { id: other.id })
      const written = await world.rowsWrittenBy(() =>
        alice.call('moveMission', { id: mission.id, statusId: statuses[1]?.id ?? '' }),
      )
      expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
    },
  )

  test(
    'of an agent is told once for each real change, and goes to the first status of its type',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'])
      const { status } = await alice.call('createProjectStatus', {
        id: project.id,
        label: 'Doing',
        type: 'execute',
      })
      const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
      const others = statuses.map((one) => one.id).filter((id) => id !== status.id)
      await alice.call('orderProjectStatuses', {
        id: project.id,
        statusIds: [status.id, ...others],
      })
      const [a, b] = mission.objectives

      const { agent } = await world.startedRun(a)
      await agent.attach()
      await agent.attach()
      expect((await alice.mission(mission)).status).toMatchObject({
        label: 'Doing',
        type: 'execute',
      })
      await agent.deliver()
      await agent.deliver()
      await (await world.attachedRun(b)).agent.deliver()

      const published = (await outboxOf(world, mission)).filter(
        (one) => one.type === 'mission.status_changed',
      )
      expect(
        published.map(
          (one) =>
            (one.snapshot as { mission: { status: { label: string } } }).mission.status.label,
        ),
      ).toEqual(['Doing', 'In review', 'Doing', 'In review'])
    },
  )

  test('by a person within the type that an agent wants stays', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const { status } = await alice.call('createProjectStatus', {
      id: project.id,
      label: 'Doing',
      type: 'execute',
    })
    await alice.call('moveMission', { id: mission.id, statusId: status.id })
    await world.agentOf(alice, { missionId: mission.id }).attach()
    expect((await alice.mission(mission)).status.label).toBe('Doing')
  })

  test(
    'by 16 at once to two statuses is told once for each change of the status',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith([])
      const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
      const [, one, two] = statuses
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          alice.call('moveMission', {
            id: mission.id,
            statusId: (index % 2 ? one?.id : two?.id) ?? '',
          }),
        ),
      )
      const labels = (await outboxOf(world, mission)).map(
        (row) => (row.snapshot as { mission: { status: { label: string } } }).mission.status.label,
      )
      const events = (await alice.eventsOf(mission)).filter(
        (event) => event.type === 'status_change',
      )
      expect(labels).toHaveLength(events.length)
      expect((await alice.mission(mission)).revision).toBe(mission.revision + events.length)
      for (const event of events) expect(event.data['from']).not.toBe(event.data['to'])
    },
  )
})
