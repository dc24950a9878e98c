import { isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteName } from '@svc/contracts/rest'
import { describe, expect } from 'vitest'
import type { World } from '../testing/world.ts'
import { test } from '../testing/hooked-world.ts'

type Change = { call: () => Promise<unknown>; current: unknown; revision: number }

/** A change of each kind of thing, which expects a revision that nothing has, and what stands then. */
const changes: Partial<Record<RouteName, (world: World) => Promise<Change>>> = {
  moveMission: async (world) => {
    const { alice, mission } = await world.missionWith([])
    const { objectives: _none, ...now } = await alice.mission(mission)
    const input = { id: mission.id, statusId: 'blocked', expectedRevision: 99 } as const
    return { call: () => alice.call('moveMission', input), ...of({ mission: now }) }
  },
  updateMission: async (world) => {
    const { alice, mission } = await world.missionWith([])
    const { objectives: _none, ...now } = await alice.mission(mission)
    const input = { id: mission.id, title: 'Mine', expectedRevision: 99 }
    return { call: () => alice.call('updateMission', input), ...of({ mission: now }) }
  },
  reorderFutureObjectives: async (world) => {
    const { alice, mission } = await world.missionWith(['one', 'two'])
    const { objectives, ...now } = await alice.mission(mission)
    const objectiveIds = objectives.map(({ id }) => id)
    const input = { id: mission.id, objectiveIds: objectiveIds.toReversed(), expectedRevision: 99 }
    return {
      call: () => alice.call('reorderFutureObjectives', input),
      ...of({ mission: now, objectiveIds }),
    }
  },
  updateObjective: async (world) => {
    const { alice, mission } = await world.missionWith(['theirs'])
    const [{ id }] = mission.objectives
    const input = { id, instruction: 'mine', expectedRevision: 99 }
    const objective = await alice.objective({ id })
    return { call: () => alice.call('updateObjective', input), ...of({ objective }) }
  },
  updateProject: async (world) => {
    const project = await world.projectWith()
    const input = { id: project.id, name: 'Mine', expectedRevision: 99 }
    return { call: () => world.alice.call('updateProject', input), ...of({ project }) }
  },
  updateLaunchSettings: async (world) => {
    const { id } = await world.projectWith()
    const { launchSettings } = await world.alice.call('getLaunchSettings', { id })
    const input = { id, preCommand: 'nice', expectedRevision: 99 }
    return {
      call: () => world.alice.call('updateLaunchSettings', input),
      ...of({ launchSettings }),
    }
  },
  renameProjectStatus: async (world) => {
    const { id, statuses, current } = await boardOf(world)
    const input = { id, statusId: statuses[0]?.id ?? '', label: 'Mine', expectedRevision: 99 }
    return { call: () => world.alice.call('renameProjectStatus', input), ...current }
  },
  orderProjectStatuses: async (world) => {
    const { id, statuses, current } = await boardOf(world)
    const statusIds = statuses.map((status) => status.id).toReversed()
    const input = { id, statusIds, expectedRevision: 99 }
    return { call: () => world.alice.call('orderProjectStatuses', input), ...current }
  },
  deleteProjectStatus: async (world) => {
    const { id, statuses, current } = await boardOf(world)
    const input = { id, statusId: statuses.at(-1)?.id ?? '', expectedRevision: 99 }
    return { call: () => world.alice.call('deleteProjectStatus', input), ...current }
  },
  updateInboxItem: async ({ alice }) => {
    const { inboxItem } = await alice.call('createInboxItem', { title: 'Theirs' })
    const input = { id: inboxItem.id, title: 'Mine', expectedRevision: 99 }
    return { call: () => alice.call('updateInboxItem', input), ...of({ inboxItem }) }
  },
  updateArtifact: async (world) => {
    const { alice, mission } = await world.missionWith([])
    const note = { type: 'note', label: 'Plan', contentText: 'theirs' }
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...note })
    const input = { id: mission.id, artifactId: artifact.id, contentText: 'mine' }
    return {
      call: () => alice.call('updateArtifact', { ...input, expectedRevision: 99 }),
      ...of({ artifact }),
    }
  },
  setSharedState: async (world) => {
    const { alice, mission } = await world.missionWith([])
    const set = (value: string, expectedRevision: number) =>
      alice.call('setSharedState', { id: mission.id, key: 'plan', value, expectedRevision })
    const { entry } = await set('theirs', 0)
    return { call: () => set('mine', 0), current: { entry }, revision: entry?.revision ?? 0 }
  },
}

function of(current: Record<string, { revision: number } | readonly string[]>) {
  const [thing] = Object.values(current)
  return { current, revision: thing && 'revision' in thing ? thing.revision : 0 }
}

async function boardOf(world: World) {
  const { alice } = world
  const { id } = await world.projectWith()
  const { project, statuses } = await alice.call('listProjectStatuses', { id })
  const current = { current: { project, statuses }, revision: project.revision }
  return { id, statuses, current }
}

describe('a change that expects another revision', () => {
  test.for(Object.entries(changes))(
    '%s is refused with what stands now, and changes nothing',
    async ([, prepare], { world }) => {
      const { call, current, revision } = await prepare(world)
      const written = await world.rowsWrittenBy(call)
      expect(written).toEqual({
        rows: [],
        refusal: expect.objectContaining({
          code: 'revision_mismatch',
          details: { currentRevision: revision, current },
        }),
      })
    },
  )

  test('of a webhook is refused with it', async ({ hooked: { alice, subscribe } }) => {
    const { secret: _once, ...webhook } = await subscribe()
    const input = { id: webhook.id, name: 'Mine', expectedRevision: 99 }
    await expect(alice.call('updateWebhook', input)).rejects.toMatchObject({
      code: 'revision_mismatch',
      details: { current: { webhook } },
    })
  })

  test('of a long text is refused with as much of it as a refusal holds', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['x'.repeat(limits.instructionCharacters)])
    const [{ id }] = mission.objectives
    const edit = alice.call('updateObjective', { id, instruction: 'mine', expectedRevision: 99 })
    const error = await edit.catch((thrown: unknown) => thrown)
    const details = isServiceError(error) ? error.details : undefined
    expect(details).toMatchObject({
      cut: ['objective.instruction'],
      current: { objective: { id } },
    })
    expect(JSON.stringify(details).length).toBeLessThan(limits.mismatchBytes + 1_000)
  })
})

describe('a revision that is expected and stands', () => {
  test('lets a mission be moved once', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const move = (statusId: 'blocked' | 'complete') =>
      alice.call('moveMission', {
        id: mission.id,
        statusId,
        expectedRevision: mission.revision,
      })
    const { mission: moved } = await move('blocked')
    expect(moved.revision).toBe(mission.revision + 1)
    await expect(move('complete')).rejects.toMatchObject({
      details: { current: { mission: moved } },
    })
  })

  test('lets what has not started be ordered once, by one of several at the same time', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['one', 'two', 'three'])
    const [one, two, three] = mission.objectives.map(({ id }) => id)
    const orders = [
      [three, one, two],
      [two, three, one],
    ]
    const results = await Promise.allSettled(
      orders.map((objectiveIds) =>
        alice.call('reorderFutureObjectives', {
          id: mission.id,
          objectiveIds: objectiveIds.flatMap((id) => id ?? []),
          expectedRevision: mission.revision,
        }),
      ),
    )
    const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(done).toHaveLength(1)
    const { objectives, ...now } = await alice.mission(mission)
    expect(done[0]).toEqual({ mission: now, objectives })
    expect(now.revision).toBe(mission.revision + 1)
  })

  test('lets statuses be changed, each time one more', async ({ world }) => {
    const { alice } = world
    const { id, statuses, current } = await boardOf(world)
    const { status, project } = await alice.call('createProjectStatus', {
      id,
      label: 'Ideas',
      type: 'draft',
    })
    expect(project.revision).toBe(current.revision + 1)
    const named = { id, statusId: status.id, label: 'Plans' }
    const renamed = await alice.call('renameProjectStatus', {
      ...named,
      expectedRevision: project.revision,
    })
    const statusIds = [status, ...statuses].map((one) => one.id)
    const ordered = await alice.call('orderProjectStatuses', {
      id,
      statusIds,
      expectedRevision: renamed.project.revision,
    })
    const deleted = await alice.call('deleteProjectStatus', {
      id,
      statusId: status.id,
      expectedRevision: ordered.project.revision,
    })
    expect(deleted.project.revision).toBe(current.revision + 4)
    expect((await alice.call('getProject', { id })).project).toEqual(deleted.project)
  })
})
