import { StatusType } from '@svc/contracts/states'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a project', () => {
  test.for([
    ['Web Shop', 'web-shop'],
    ['  Über & Öl  ', 'uber-ol'],
    ['Smørrebrød', 'smorrebrod'],
    ['x'.repeat(80), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ])('named %j has the slug %s', { tags: 'large' }, async ([name = '', slug], { world }) => {
    const { project } = await world.alice.call('createProject', { name })
    expect(project).toMatchObject({ name: name.trim(), slug, defaultBranch: 'main' })
    expect((await world.alice.call('getProject', { id: slug ?? '' })).project.id).toBe(project.id)
  })

  test('whose name gives no slug needs one', async ({ world }) => {
    await expect(world.alice.call('createProject', { name: '日本' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(
      (await world.alice.call('createProject', { name: '日本', slug: 'japan' })).project.slug,
    ).toBe('japan')
  })

  test('takes its slug alone in its workspace, also among 8 at once', async ({ world }) => {
    const create = () => world.alice.call('createProject', { name: 'Taken' })
    const results = await Promise.allSettled(Array.from({ length: 8 }, create))
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of results) {
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'already_exists', details: { slug: 'taken' } })
    }
    expect((await world.carla.call('createProject', { name: 'Taken' })).project.slug).toBe('taken')
  })

  test('is seen in its workspace, and by a token bound to it alone', async ({ world }) => {
    const project = await world.projectWith()
    const other = await world.projectWith()
    const bound = await world.alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    expect((await bound.call('listProjects', {})).projects).toEqual([project])
    await expect(bound.call('getProject', { id: other.slug })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(world.carla.call('getProject', { id: project.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(world.vera.call('createProject', { name: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('the statuses of a project', () => {
  test(
    verifies(
      'mission.status-type-shared',
      'are six at first, one of each type of the shared vocabulary',
    ),
    async ({ world }) => {
      const project = await world.projectWith()
      const { statuses } = await world.alice.call('listProjectStatuses', { id: project.slug })
      expect(statuses.map((one) => [one.position, one.label, one.type])).toEqual([
        [1, 'Backlog', 'draft'],
        [2, 'In progress', 'execute'],
        [3, 'In review', 'review'],
        [4, 'Done', 'complete'],
        [5, 'Blocked', 'blocked'],
        [6, 'Cancelled', 'cancelled'],
      ])
      expect(statuses.map((one) => one.type).toSorted()).toEqual(StatusType.options.toSorted())
    },
  )

  test(
    verifies('mission.status-names-per-project', 'are named, added and ordered for it alone'),
    async ({ world }) => {
      const { alice } = world
      const [project, other] = [await world.projectWith(), await world.projectWith()]
      const { id } = project
      const before = await statusesOf(world, other)
      const [backlog] = await statusesOf(world, project)
      const { mission } = await world.missionWith([], { project })
      await alice.call('createProjectStatus', { id, label: 'Idea', type: 'draft' })
      // a word that means something else in the other project
      const label = 'Done'
      const renamed = await alice.call('renameProjectStatus', { id, statusId: backlog!.id, label })
      const ids = (await statusesOf(world, project)).map((one) => one.id)

      const { statuses } = await alice.call('orderProjectStatuses', {
        id,
        statusIds: ids.toReversed(),
      })

      expect(renamed.status).toEqual({ ...backlog, label })
      expect(statuses.map((one) => one.id)).toEqual(ids.toReversed())
      expect(statuses.map((one) => one.position)).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(statuses.filter((one) => one.label === label).map((one) => one.type)).toEqual([
        'complete',
        'draft',
      ])
      expect(await statusesOf(world, other)).toEqual(before)
      expect((await alice.mission(mission)).status).toMatchObject({ label, type: 'draft' })
      expect((await world.missionWith([], { project })).mission.status.label).toBe('Idea')
      const elsewhere = await world.missionWith([], { project: other })
      expect(elsewhere.mission.status.label).toBe('Backlog')
    },
  )

  test('are renamed in their own project alone', async ({ world }) => {
    const [project, other] = [await world.projectWith(), await world.projectWith()]
    const [foreign] = await statusesOf(world, other)
    const written = await world.rowsWrittenBy(() =>
      world.alice.call('renameProjectStatus', {
        id: project.id,
        statusId: foreign!.id,
        label: 'Mine',
      }),
    )
    expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
  })

  test('are ordered by naming each of them once', { tags: 'large' }, async ({ world }) => {
    const project = await world.projectWith()
    const ids = (await statusesOf(world, project)).map((one) => one.id)
    const foreign = (await statusesOf(world, await world.projectWith())).map((one) => one.id)
    const order = (statusIds: string[]) =>
      world.rowsWrittenBy(() =>
        world.alice.call('orderProjectStatuses', { id: project.id, statusIds }),
      )
    const conflict = {
      rows: [],
      refusal: { code: 'order_conflict', details: { currentOrder: ids } },
    }
    expect(await order(ids.slice(1))).toMatchObject(conflict)
    expect(await order([...ids, ids[0] ?? ''])).toMatchObject(conflict)
    expect(await order([ids[0] ?? '', ...ids.slice(0, -1)])).toMatchObject(conflict)
    expect(await order(ids.with(0, foreign[0] ?? ''))).toMatchObject({
      rows: [],
      refusal: { code: 'not_found' },
    })
  })

  test('stay in one order when 8 add one at once', async ({ world }) => {
    const project = await world.projectWith()
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        world.alice.call('createProjectStatus', {
          id: project.id,
          label: `s${index}`,
          type: 'draft',
        }),
      ),
    )
    expect((await statusesOf(world, project)).map((one) => one.position)).toEqual(
      Array.from({ length: 14 }, (_, index) => index + 1),
    )
  })

  test('are changed by members and not by viewers', async ({ world }) => {
    const project = await world.projectWith()
    const status = { id: project.id, label: 'x', type: 'draft' as const }
    await expect(world.vera.call('createProjectStatus', status)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.carla.call('createProjectStatus', status)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.bob.call('createProjectStatus', status)
  })
})

async function statusesOf(world: World, project: { id: string }) {
  return (await world.alice.call('listProjectStatuses', { id: project.id })).statuses
}
