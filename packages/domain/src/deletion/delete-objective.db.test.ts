import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { remove } from './testing/deleting-objectives.ts'

describe('deleting objectives', () => {
  test(
    verifies(
      ['tool.svc_delete_objectives.confirm', 'tool.svc_delete_objectives.shown-list'],
      'without confirm deletes nothing, and answers what would be deleted',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      const { lease } = await world.startedRun(a)
      await alice.launch(b)
      const objectiveIds = [b.displayId, a.id]
      for (const given of [{}, { confirm: false }]) {
        const written = await world.rowsWrittenBy(() =>
          alice.tool('svc_delete_objectives', { objectiveIds, ...given }),
        )
        expect(written).toMatchObject({
          rows: [],
          refusal: {
            code: 'confirmation_required',
            message: expect.stringContaining(
              `${a.displayId} "a" (launching, running: its run is cancelled)`,
            ),
            details: {
              resolved: [
                { displayId: a.displayId, title: 'a', state: 'launching', running: true },
                { displayId: b.displayId, title: 'b', state: 'launching', running: false },
              ],
              running: [lease.id],
            },
            next: { operation: 'deleteObjectives', params: { running: lease.id } },
          },
        })
      }
    },
  )

  test(
    verifies(
      ['tool.svc_delete_objectives.schema', 'limit.bulk-100'],
      'takes 1 to 100 different ones, by either id',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const added = async (count: number) => {
        const objectives = Array.from({ length: count }, () => ({ instruction: 'step' }))
        return (await alice.call('addObjectives', { id: mission.id, objectives })).objectives
      }
      await added(50)
      await added(50)
      // all that the mission has by now
      const ids = (await added(1)).map(({ id, displayId }, index) => (index % 2 ? displayId : id))
      const removeBy = (objectiveIds: string[]) =>
        alice.tool('svc_delete_objectives', { objectiveIds, confirm: true })
      expect(ids).toHaveLength(101)
      await expect(removeBy([])).rejects.toThrow(/>=1 items/)
      await expect(removeBy(ids)).rejects.toThrow(/<=100 items/)
      expect((await removeBy(ids.slice(1))).deleted).toHaveLength(100)
      expect((await removeBy(ids.slice(0, 1))).deleted).toHaveLength(1)
    },
  )

  test(
    verifies(
      'tool.svc_delete_objectives.soft',
      'takes them out of their mission, closes the gaps, and launches nothing',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'], {
        auto_advance: true,
      })
      const [a, b, c, d] = mission.objectives
      const answer = await alice.tool('svc_delete_objectives', {
        objectiveIds: [a.id, c.displayId],
        missionId: mission.displayId,
        confirm: true,
      })
      expect(answer.deleted.map(({ displayId }) => displayId).toSorted()).toEqual(
        [a.displayId, c.displayId].toSorted(),
      )
      const { objectives } = await alice.mission(mission)
      expect(objectives.map(({ id, position, state }) => [id, position, state])).toEqual([
        [b.id, 1, 'draft'],
        [d.id, 2, 'draft'],
      ])
      for (const gone of [a, c]) {
        await expect(alice.objective(gone)).rejects.toMatchObject({ code: 'not_found' })
        await expect(
          world.agentOf(alice, { objectiveId: gone.displayId }).attach(),
        ).rejects.toMatchObject({ code: 'not_found' })
      }
      const row = await world.domain.db
        .selectFrom('objectives')
        .select(['deleted_at', 'instruction'])
        .where('id', '=', a.id)
        .executeTakeFirst()
      expect(row).toMatchObject({ deleted_at: expect.any(Date), instruction: 'a' })
    },
  )

  test(
    verifies(
      'tool.svc_delete_objectives.atomic',
      'takes all of them, or none where one is not there, is of another mission, or runs',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
      const [a, b, c] = mission.objectives
      const other = (await world.missionWith(['d'])).mission
      const [d] = other.objectives
      const refusedWith = async (work: () => Promise<unknown>, code: string) =>
        expect(await world.rowsWrittenBy(work)).toMatchObject({ rows: [], refusal: { code } })
      await refusedWith(() => remove(alice, [a, { id: crypto.randomUUID() }]), 'not_found')
      const named = { objectiveIds: [a.id, d.id], missionId: mission.id, confirm: true }
      await refusedWith(() => alice.call('deleteObjectives', named), 'not_found')
      await world.attachedRun(c)
      await refusedWith(() => remove(alice, [a, c, d]), 'confirmation_required')
      expect((await remove(alice, [d, b, a])).deleted).toHaveLength(3)
      expect((await alice.mission(mission)).objectives[0]?.id).toBe(c.id)
    },
  )

  test(
    verifies(
      'tool.svc_delete_objectives.queue-membership',
      'takes them out of the run queue, and is in the audit trail',
    ),
    async ({ world }) => {
      const { alice, mission, project } = await world.missionWith(['a', 'b'])
      const [a, b] = mission.objectives
      for (const { id } of [a, b]) await alice.call('queueObjective', { objectiveId: id })
      const waiting = async () => {
        const { queues } = await alice.call('listRunQueues', { id: project.id })
        return queues.flatMap(({ entries }) => entries.map(({ objectiveId }) => objectiveId))
      }
      expect(await waiting()).toEqual([a.id, b.id])

      await alice.tool('svc_delete_objectives', { objectiveIds: [a.id], confirm: true })
      expect(await waiting()).toEqual([b.id])
      const [c] = (
        await alice.call('addObjectives', { id: mission.id, objectives: [{ instruction: 'c' }] })
      ).objectives.slice(-1)
      await alice.launch({ id: c?.id ?? '' })
      await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
      expect(await waiting()).toEqual([])

      const { entries } = await alice.call('listAudit', {})
      expect(entries.map(({ action, targetId }) => [action, targetId]).slice(0, 2)).toEqual([
        ['mission.deleted', mission.id],
        ['objective.deleted', a.id],
      ])
    },
  )

  test('cancels a launch that is queued: no runner takes it, and the next one can be launched', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [a, b] = mission.objectives
    const runner = await world.connectedRunner({ id: mission.projectId })
    const { executionRequest } = await alice.launch(a)

    expect(await remove(alice, [a])).toMatchObject({ cancelledRuns: 1 })

    expect((await alice.request(executionRequest)).status).toBe('cancelled')
    expect((await runner.claim()).request).toBeNull()
    await alice.launch(b)
    expect((await runner.claim()).request?.objective.id).toBe(b.id)
  })

  test(
    'of a delivered one keeps its delivery, and leaves the mission in review',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [a] = mission.objectives
      const { agent, runner, lease } = await world.attachedRun(a)
      await agent.deliver()
      await runner.exited(lease)
      await remove(alice, [a])
      expect((await alice.mission(mission)).phase).toBe('review')
      expect((await alice.call('listDeliveries', { id: mission.id })).deliveries).toHaveLength(1)
    },
  )
})

describe('restoring an objective', () => {
  test('makes it the last of those that have not started, as a draft', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
    const [a, b, c] = mission.objectives
    await alice.call('submitObjective', { id: a.id })
    await remove(alice, [a])
    const { objective } = await alice.call('restoreObjective', { id: a.displayId })
    expect(objective).toMatchObject({ id: a.id, state: 'draft', position: 3 })
    const ids = (await alice.mission(mission)).objectives.map(({ id }) => id)
    expect(ids).toEqual([b.id, c.id, a.id])
    expect((await alice.launch(a)).reused).toBe(false)
  })

  test(
    'that was delivered makes it the last of those that have started',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
      const [a, b, c] = mission.objectives
      for (const one of [a, b]) await (await world.attachedRun(one)).agent.deliver()
      await remove(alice, [a])
      const { objective } = await alice.call('restoreObjective', { id: a.id })
      expect(objective).toMatchObject({ state: 'complete', position: 2 })
      expect((await alice.mission(mission)).objectives.map(({ id }) => id)).toEqual([
        b.id,
        a.id,
        c.id,
      ])
    },
  )

  test('that is there changes nothing, and one of a deleted mission names what comes first', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [a] = mission.objectives
    const restore = () => alice.call('restoreObjective', { id: a.displayId })
    expect(await world.rowsWrittenBy(restore)).toEqual({ rows: [], refusal: undefined })
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    await expect(restore()).rejects.toMatchObject({
      code: 'invalid_transition',
      next: { operation: 'restoreMission', params: { id: mission.displayId } },
    })
  })

  test('that is not there, or out of reach, names what lists those that can be restored', async ({
    world,
  }) => {
    const { mission } = await world.missionWith(['a'])
    const [a] = mission.objectives
    const missions = { code: 'not_found', next: { operation: 'listDeletedMissions', params: {} } }
    const objectives = {
      code: 'not_found',
      next: { operation: 'listDeletedObjectives', params: {} },
    }
    for (const id of [mission.displayId, 'web:99']) {
      await expect(world.carla.call('restoreMission', { id })).rejects.toMatchObject(missions)
    }
    for (const id of [a.displayId, 'web:99.zzzz']) {
      await expect(world.carla.call('restoreObjective', { id })).rejects.toMatchObject(objectives)
    }
  })
})
