import { test, type World } from '../../testing/world.ts'
import { expect, describe } from 'vitest'
import { setImmediate } from 'node:timers/promises'
import { type Project } from '@svc/contracts/project'
import { countBlocked } from '@svc/testing/locks'
import { sql } from 'kysely'

test('a project has 100 statuses at most', async ({ world }) => {
  const { id } = await world.projectWith()
  const add = () => world.alice.call('createProjectStatus', { id, label: 'x', type: 'draft' })
  for (let count = 6; count < 100; count += 1) await add()
  await expect(add()).rejects.toMatchObject({ code: 'validation_failed' })
})

const statusesOf = async (world: World, { id }: Project) =>
  (await world.alice.call('listProjectStatuses', { id })).statuses

/** The statuses of a new project by their labels. */
async function board(world: World) {
  const project = await world.projectWith()
  const statuses = await statusesOf(world, project)
  const idOf = (label: string) => statuses.find((one) => one.label === label)?.id ?? ''
  return { project, idOf }
}

describe('a status that is deleted', () => {
  test('leaves the others in their order, and is in feed and audit trail', async ({ world }) => {
    const { project, idOf } = await board(world)
    const statusId = idOf('Blocked')
    const answer = await world.alice.call('deleteProjectStatus', { id: project.slug, statusId })
    expect(answer).toMatchObject({ moved: 0 })
    const left = await statusesOf(world, project)
    expect(left.map((one) => [one.position, one.label])).toEqual([
      [1, 'Backlog'],
      [2, 'In progress'],
      [3, 'In review'],
      [4, 'Done'],
      [5, 'Cancelled'],
    ])
    expect(await changesOf(world, project)).toContainEqual({ statusId, deleted: true })
    const { entries } = await world.alice.call('listAudit', { action: 'status.deleted' })
    expect(entries[0]).toMatchObject({ targetId: statusId, details: { label: 'Blocked' } })
  })

  test('with missions in it needs to know where they go', async ({ world }) => {
    const { project, idOf } = await board(world)
    const { mission } = await world.missionWith([], { project })
    const statusId = idOf('Blocked')
    await world.alice.call('moveMission', { id: mission.id, statusId })
    const written = await world.rowsWrittenBy(() =>
      world.alice.call('deleteProjectStatus', { id: project.id, statusId }),
    )
    const next = { operation: 'listProjectStatuses', params: { id: project.slug } }
    expect(written).toMatchObject({ rows: [], refusal: { code: 'status_in_use', next } })
  })

  test('moves its missions, and tells of each of them once, also of more than go at a time', async ({
    world,
  }) => {
    const { project, idOf } = await board(world)
    const missions = []
    for (let count = 0; count < 53; count += 1) {
      const { mission } = await world.missionWith([], { project })
      missions.push(mission)
    }
    const { status } = await world.alice.call('createProjectStatus', {
      id: project.id,
      label: 'Ideas',
      type: 'draft',
    })
    const read = await world.alice.call('listProjectStatuses', { id: project.id })
    const input = {
      id: project.id,
      statusId: idOf('Backlog'),
      moveTo: status.id,
      expectedRevision: read.project.revision,
    }
    const key = { idempotencyKey: 'one' }
    const answer = await world.alice.call('deleteProjectStatus', input, key)
    expect(answer).toMatchObject({ moved: 53 })
    expect(await world.alice.call('deleteProjectStatus', input, key)).toEqual(answer)
    for (const mission of missions) {
      expect((await world.alice.mission(mission)).status.label).toBe('Ideas')
      const events = await world.alice.eventsOf(mission)
      expect(events.map((one) => one.type)).toEqual(['status_change'])
    }
    const { rows } = await sql`
      select from webhook_events
       where project_id = ${project.id} and type = 'mission.status_changed'`.execute(
      world.domain.db,
    )
    expect(rows).toHaveLength(53)
    await expect(world.alice.call('deleteProjectStatus', input)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('stays where one of its missions may not go, and so do all of them', async ({ world }) => {
    const { project, idOf } = await board(world)
    const { mission } = await world.missionWith(['a'], { project })
    await world.missionWith([], { project })
    await world.alice.launch(mission.objectives[0])
    const input = { id: project.id, label: 'Ideas', type: 'draft' } as const
    await world.alice.call('createProjectStatus', input)
    const written = await world.rowsWrittenBy(() =>
      world.alice.call('deleteProjectStatus', {
        id: project.id,
        statusId: idOf('Backlog'),
        moveTo: idOf('Done'),
      }),
    )
    expect(written).toMatchObject({ rows: [], refusal: { code: 'mission_active' } })
  })

  test.for(['Backlog', 'In progress', 'In review'])(
    'is not %s, the last one of what missions are moved to by themselves',
    async (label, { world }) => {
      const { project, idOf } = await board(world)
      const remove = { id: project.id, statusId: idOf(label), moveTo: idOf('Done') }
      const written = await world.rowsWrittenBy(() =>
        world.alice.call('deleteProjectStatus', remove),
      )
      expect(written).toMatchObject({ rows: [], refusal: { code: 'invalid_transition' } })
    },
  )

  test('takes its deleted missions along in silence', async ({ world }) => {
    const { project, idOf } = await board(world)
    const { mission } = await world.missionWith([], { project })
    const statusId = idOf('Blocked')
    await world.alice.call('moveMission', { id: mission.id, statusId })
    await sql`update missions set deleted_at = app.now() where id = ${mission.id}`.execute(
      world.domain.db,
    )
    const answer = await world.alice.call('deleteProjectStatus', { id: project.id, statusId })
    expect(answer).toMatchObject({ moved: 0 })
    await sql`update missions set deleted_at = null where id = ${mission.id}`.execute(
      world.domain.db,
    )
    expect((await world.alice.mission(mission)).status.label).toBe('Backlog')
  })

  test('goes to another status of the same project', async ({ world }) => {
    const { project, idOf } = await board(world)
    const { idOf: elsewhere } = await board(world)
    const remove = (moveTo: string) =>
      world.alice.call('deleteProjectStatus', {
        id: project.id,
        statusId: idOf('Blocked'),
        moveTo,
      })
    await expect(remove(elsewhere('Done'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(remove(idOf('Blocked'))).rejects.toMatchObject({ code: 'validation_failed' })
    const foreign = { id: project.id, statusId: elsewhere('Blocked') }
    await expect(world.alice.call('deleteProjectStatus', foreign)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('takes along missions that are made and moved while it goes', async ({ world }) => {
    const { alice } = world
    const { project, idOf } = await board(world)
    const { id } = project
    const { status } = await alice.call('createProjectStatus', { id, label: 'x', type: 'draft' })
    const missions = await Promise.all(
      Array.from({ length: 4 }, () => alice.call('createMission', { projectId: id, title: 'a' })),
    )
    const statusId = idOf('Backlog')
    const results = await Promise.allSettled([
      alice.call('deleteProjectStatus', { id, statusId, moveTo: status.id }),
      ...missions.map(() => alice.call('createMission', { projectId: id, title: 'b' })),
      ...missions.map(({ mission }) =>
        alice.call('moveMission', { id: mission.id, statusId: idOf('Blocked') }),
      ),
    ])
    expect(results.map((one) => one.status)).toEqual(results.map(() => 'fulfilled'))
    const left = (await statusesOf(world, project)).map((one) => one.id)
    const { missions: all } = await alice.call('listMissions', { projectId: id })
    expect(all).toHaveLength(8)
    for (const mission of all) expect(left).toContain(mission.status.id)
  })

  test('is no status for a mission that was being made in it', async ({ world }) => {
    const { alice, domain } = world
    const { project, idOf } = await board(world)
    const { id } = project
    await alice.call('createProjectStatus', { id, label: 'Ideas', type: 'draft' })
    const { promise: deleted, resolve: finish } = Promise.withResolvers<void>()
    const { promise: held, resolve: begun } = Promise.withResolvers<void>()
    const deletion = domain.db.transaction().execute(async (tx) => {
      await sql`select from projects where id = ${id} for no key update`.execute(tx)
      await sql`delete from project_statuses where id = ${idOf('Backlog')}`.execute(tx)
      begun()
      await deleted
    })
    await held
    const made = alice.call('createMission', { projectId: id, title: 'a' })
    while ((await countBlocked(domain.db)) === 0) await setImmediate()
    finish()
    await deletion
    expect((await made).mission.status.label).toBe('Ideas')
  })

  test('is deleted once by 8 at once', async ({ world }) => {
    const { project, idOf } = await board(world)
    const remove = { id: project.id, statusId: idOf('Blocked') }
    const calls = Array.from({ length: 8 }, () => world.alice.call('deleteProjectStatus', remove))
    const results = await Promise.allSettled(calls)
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of results) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not_found' })
    }
    expect((await statusesOf(world, project)).map((one) => one.position)).toEqual([1, 2, 3, 4, 5])
  })
})

test('what becomes of the statuses of a project is told to the live feed', async ({ world }) => {
  const { project, idOf } = await board(world)
  const { id } = project
  const statusId = idOf('Backlog')
  await world.alice.call('renameProjectStatus', { id, statusId, label: 'Ideas' })
  const added = { id, label: 'Waiting', type: 'blocked' } as const
  const { status } = await world.alice.call('createProjectStatus', added)
  const statusIds = (await statusesOf(world, project)).map((one) => one.id)
  await world.alice.call('orderProjectStatuses', { id, statusIds: statusIds.toReversed() })
  expect(await changesOf(world, project)).toEqual([{}, { statusId }, { statusId: status.id }, {}])
})

async function changesOf(world: World, { id }: Project) {
  const { rows } = await sql<{ data: object }>`
    select data from entity_changes where entity = 'project' and entity_id = ${id}
     order by xid, seq`.execute(world.domain.db)
  return rows.map(({ data }) => data)
}
