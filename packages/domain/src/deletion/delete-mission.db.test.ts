import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { remove, missionsOf } from './testing/deleting-missions.ts'

describe('deleting missions', () => {
  test(
    verifies(
      ['tool.svc_delete_missions.confirm', 'tool.svc_delete_missions.shown-list'],
      'without confirm deletes nothing, and answers what would be deleted',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const other = (await world.missionWith(['read them'])).mission
      await world.attachedRun(other.objectives[0])
      for (const confirm of [undefined, false]) {
        const missionIds = [mission.displayId, other.id]
        const written = await world.rowsWrittenBy(() =>
          alice.tool('svc_delete_missions', { missionIds, confirm }),
        )
        const line = (one: typeof mission, running: boolean) =>
          expect.objectContaining({ displayId: one.displayId, title: one.title, running })
        expect(written).toMatchObject({
          rows: [],
          refusal: {
            code: 'confirmation_required',
            message: expect.stringMatching(
              `${mission.displayId} .*${other.displayId} .* running: its run is cancelled`,
            ),
            details: { resolved: [line(mission, false), line(other, true)] },
            next: { operation: 'deleteMissions' },
          },
        })
      }
    },
  )

  test(
    verifies(
      [
        'tool.svc_delete_missions.soft',
        'tool.svc_delete_missions.objectives',
        'tool.svc_delete_missions.schema',
      ],
      'takes them and their objectives out of sight, by either id, and keeps their rows',
    ),
    async ({ world }) => {
      const { alice, workspaceId } = world
      const [one, two] = await missionsOf(world, 2)
      if (!one || !two) throw new Error('two missions were made')

      const answer = await alice.tool('svc_delete_missions', {
        missionIds: [one.displayId, two.id, one.id],
        confirm: true,
      })

      expect(answer).toMatchObject({ cancelledRuns: 0, restorableUntil: expect.any(String) })
      expect(answer.deleted.map(({ id }) => id).toSorted()).toEqual([one.id, two.id].toSorted())
      for (const { id, displayId, objectives } of [one, two]) {
        for (const ref of [id, displayId]) {
          await expect(alice.mission({ id: ref })).rejects.toMatchObject({ code: 'not_found' })
        }
        for (const objective of objectives) {
          await expect(alice.objective(objective)).rejects.toMatchObject({ code: 'not_found' })
          await expect(alice.launch(objective)).rejects.toMatchObject({ code: 'not_found' })
        }
      }
      const { missions } = await alice.call('listMissions', { projectId: one.projectId })
      expect(missions).toEqual([])
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from objectives
         where workspace_id = ${workspaceId} and deleted_at is not null
           and mission_id = any(${[one.id, two.id]}::uuid[])`.execute(world.domain.db)
      expect(rows[0]?.count).toBe(4)
    },
  )

  test(
    verifies(
      'tool.svc_delete_missions.atomic',
      'takes all of them, or none where one is not there',
    ),
    async ({ world }) => {
      const { alice } = world
      const missions = await missionsOf(world, 4)
      const ids = missions.map(({ id }) => id)
      const missing = { id: crypto.randomUUID() }
      expect(await world.rowsWrittenBy(() => remove(alice, [...missions, missing]))).toMatchObject({
        rows: [],
        refusal: { code: 'not_found', message: expect.stringContaining(missing.id) },
      })
      expect((await remove(alice, missions)).deleted.map(({ id }) => id).toSorted()).toEqual(
        ids.toSorted(),
      )
    },
  )

  test(verifies('limit.bulk-100', 'takes 1 to 100 different ones'), async ({ world }) => {
    const { alice } = world
    const project = await world.projectWith()
    const ids: string[] = []
    while (ids.length < 101) ids.push((await world.missionWith([], { project })).mission.id)
    const removeBy = (missionIds: string[]) =>
      alice.tool('svc_delete_missions', { missionIds, confirm: true })
    await expect(removeBy([])).rejects.toThrow(/>=1 items/)
    await expect(removeBy(ids)).rejects.toThrow(/<=100 items/)
    expect((await removeBy(ids.slice(1))).deleted).toHaveLength(100)
    expect((await removeBy(ids.slice(0, 1))).deleted).toHaveLength(1)
  })

  test('names the first that cannot be seen, whether the others are there or not', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['hidden'])
    const projectIds = [(await world.projectWith()).id]
    const elsewhere = await alice.withToken({ preset: 'full', projectIds })
    const refusalOf = (missionIds: string[]) =>
      elsewhere.call('deleteMissions', { missionIds, confirm: true })
    for (const ref of [mission.displayId, `${mission.displayId}000`]) {
      await expect(refusalOf([ref, 'nowhere:1'])).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(`No mission ${ref} `),
      })
      const objectiveIds = [
        `${ref}.${mission.objectives[0].displayId.split('.')[1]}`,
        'nowhere:1.aaaa',
      ]
      await expect(
        elsewhere.call('deleteObjectives', { objectiveIds, confirm: true }),
      ).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(`No objective ${objectiveIds[0]} `),
      })
    }
  })

  test('says what would leave a run queue', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['one', 'two'])
    const [one] = mission.objectives
    await alice.call('queueObjective', { objectiveId: one.id })
    const line = { displayId: mission.displayId, queued: 1 }
    await expect(alice.call('deleteMissions', { missionIds: [mission.id] })).rejects.toMatchObject({
      code: 'confirmation_required',
      message: expect.stringContaining('what is in a run queue leaves it'),
      details: { resolved: [line] },
    })
    const objectiveIds = mission.objectives.map(({ id }) => id)
    await expect(alice.call('deleteObjectives', { objectiveIds })).rejects.toMatchObject({
      details: {
        resolved: expect.arrayContaining([
          expect.objectContaining({ displayId: one.displayId, queued: 1 }),
          expect.objectContaining({ queued: 0 }),
        ]),
      },
    })
  })

  test('cancels what is queued in them, so that no runner takes it', async ({ world }) => {
    const { alice } = world
    const [one, two] = await missionsOf(world, 2)
    if (!one || !two) throw new Error('two missions were made')
    const runner = await world.connectedRunner({ id: one.projectId })
    const { executionRequest } = await alice.launch(one.objectives[0] ?? one)
    await alice.launch(two.objectives[0] ?? two)

    expect(await remove(alice, [one])).toMatchObject({ cancelledRuns: 1 })

    expect((await alice.request(executionRequest)).status).toBe('cancelled')
    const { request } = await runner.claim()
    expect(request?.mission.id).toBe(two.id)
    expect((await runner.claim()).request).toBeNull()
  })

  test(
    'leaves nothing to resume for a run that was held lost, and its supervisor is told',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(1_000)
      await world.settle()

      expect(await remove(alice, [mission])).toMatchObject({ cancelledRuns: 0 })

      expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false }])
      await expect(agent.deliver()).rejects.toMatchObject({ code: 'not_found' })
      await world.settle()
    },
  )

  test('takes both rights, there', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const read = ['mission:read', 'project:read'] as const
    const refused = { rows: [], refusal: { code: 'forbidden' } }
    for (const permissions of [
      [...read, 'mission:delete' as const],
      [...read, 'objective:delete' as const],
    ]) {
      const person = await alice.withToken({ permissions })
      expect(await world.rowsWrittenBy(() => remove(person, [mission]))).toMatchObject(refused)
    }
    expect(await world.rowsWrittenBy(() => remove(world.vera, [mission]))).toMatchObject(refused)
    expect(await world.rowsWrittenBy(() => remove(world.carla, [mission]))).toMatchObject({
      rows: [],
      refusal: { code: 'not_found' },
    })
  })
})

describe('restoring a mission', () => {
  test(
    'brings it back with its objectives in their order, and none of them queued',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['done', 'next', 'ready', 'last'])
      const [done, , ready] = mission.objectives
      await (await world.attachedRun(done)).agent.deliver()
      await alice.call('submitObjective', { id: ready.id })
      await alice.call('deleteObjectives', {
        objectiveIds: [mission.objectives[3].id],
        confirm: true,
      })
      const before = await alice.mission(mission)
      await remove(alice, [mission])

      const restored = await alice.call('restoreMission', { id: mission.displayId })

      expect(restored.objectives.map(({ id }) => id)).toEqual(before.objectives.map(({ id }) => id))
      expect(restored.objectives.map(({ position }) => position)).toEqual([1, 2, 3])
      expect(restored.objectives.map(({ state }) => state)).toEqual(['complete', 'draft', 'draft'])
      expect(restored.mission).toMatchObject({ id: mission.id, phase: 'review' })
      const types = (await alice.eventsOf(mission)).map(({ type }) => type)
      expect(types.slice(0, 2)).toEqual(['restored', 'deleted'])
      expect((await alice.launch(ready)).reused).toBe(false)
    },
  )

  test('that is there changes nothing', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const restore = () => alice.call('restoreMission', { id: mission.id })
    expect(await world.rowsWrittenBy(restore)).toEqual({ rows: [], refusal: undefined })
    expect((await restore()).objectives).toHaveLength(1)
  })

  test('finds its id in a list, which says how long it can be restored', async ({ world }) => {
    const project = await world.projectWith()
    const { alice, mission } = await world.missionWith(['write', 'test', 'ship'], { project })
    const other = await world.missionWith(['else'], { project })
    const { projectId } = mission
    const [write, , ship] = mission.objectives
    const deleted = async (query: object = {}) => {
      const found = await alice.call('listDeletedMissions', { projectId, ...query })
      return [found.deleted.map(({ displayId }) => displayId), found.nextCursor] as const
    }
    const ofMission = async () => {
      const found = await alice.call('listDeletedObjectives', { id: mission.displayId })
      return found.deleted.map(({ displayId }) => displayId)
    }
    for (const { id } of [ship, write]) {
      await alice.call('deleteObjectives', { objectiveIds: [id], confirm: true })
    }
    expect(await ofMission()).toEqual([write.displayId, ship.displayId])
    await alice.call('restoreObjective', { id: ship.displayId })
    expect(await ofMission()).toEqual([write.displayId])

    const { restorableUntil } = await remove(alice, [mission, other.mission])
    const both = [other.mission.displayId, mission.displayId]
    expect(await deleted()).toEqual([both, undefined])
    const [, cursor] = await deleted({ limit: 1 })
    expect(await deleted({ limit: 1, cursor })).toEqual([[mission.displayId], undefined])
    const everywhere = await alice.call('listDeletedMissions', { limit: 1 })
    const [first] = everywhere.deleted
    expect(first).toMatchObject({ title: other.mission.title, restorableUntil })
    await expect(ofMission()).rejects.toMatchObject({ code: 'not_found' })

    await alice.call('restoreMission', { id: mission.displayId })
    expect(await deleted()).toEqual([[other.mission.displayId], undefined])
    expect(await ofMission()).toEqual([write.displayId])
  })

  test('is listed by when it went, page by page, whatever else comes back meanwhile', async ({
    world,
  }) => {
    const { alice } = world
    const made = await missionsOf(world, 4)
    const projectId = made[0]?.projectId ?? ''
    const [a, b, c, d] = made.map(({ displayId }) => displayId)
    for (const gone of [[2], [0, 3], [1]]) {
      await remove(
        alice,
        made.filter((_, n) => gone.includes(n)),
      )
    }
    const page = async (cursor?: string) => {
      const query = { projectId, limit: 2, ...(cursor && { cursor }) }
      const { deleted, nextCursor } = await alice.call('listDeletedMissions', query)
      return { ids: deleted.map(({ displayId }) => displayId), nextCursor }
    }
    const first = await page()
    expect(first.ids).toEqual([b, d])
    await alice.call('restoreMission', { id: d ?? '' })
    expect(await page(first.nextCursor)).toEqual({ ids: [a, c], nextCursor: undefined })
    for (const cursor of ['x', made[0]?.id, `1/${'x'.repeat(36)}`]) {
      await expect(page(cursor)).rejects.toMatchObject({ code: 'validation_failed' })
    }
  })

  test('is offered to nobody who does not see the mission', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const elsewhere = await alice.withToken({
      permissions: ['mission:read'],
      projectIds: [(await alice.call('createProject', { name: 'Elsewhere' })).project.id],
    })
    await remove(alice, [mission])
    expect(await elsewhere.call('listDeletedMissions', {})).toEqual({ deleted: [] })
  })

  test('is possible for 30 days, and then it is gone for good', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await remove(alice, [mission])
    await world.advance(30 * 86_400 - 60)
    await alice.call('restoreMission', { id: mission.id })
    await remove(alice, [mission])
    await world.advance(30 * 86_400 + 1)
    const { projectId } = mission
    expect(await alice.call('listDeletedMissions', { projectId })).toEqual({ deleted: [] })
    await expect(alice.call('restoreMission', { id: mission.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
