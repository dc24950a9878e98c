import { withFault } from '@svc/testing/faults'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const projectsFeed = ['entity_changes', 'inbox_items', 'mission_words', 'missions', 'projects']

describe('an inbox item that is turned into a mission', () => {
  test('gives it its title and its text for a first objective, and is done', async ({ world }) => {
    const { bob } = world
    const project = await world.projectWith()
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Logs', text: 'Rotate.' })
    const order = { id: inboxItem.id, projectId: project.slug, priority: 'high' as const }

    const turned = await bob.call('turnInboxItem', order)

    const { mission } = turned
    expect(turned).toMatchObject({
      reused: false,
      mission: { title: 'Logs', priority: 'high', projectId: project.id, phase: 'draft' },
      objectives: [{ instruction: 'Rotate.', state: 'draft' }],
      inboxItem: { mission: { id: mission.id, displayId: mission.displayId } },
    })
    expect(turned.inboxItem.doneAt).not.toBeNull()
    expect(await bob.call('getInboxItem', inboxItem)).toEqual({ inboxItem: turned.inboxItem })
  })

  test('has the title and objectives that the call brings, and says by what it was turned', async ({
    world,
  }) => {
    const { bob } = world
    const project = await world.projectWith()
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Logs', text: 'Rotate.' })
    const order = {
      id: inboxItem.id,
      projectId: project.id,
      title: 'Rotate the logs',
      objectives: [{ instruction: 'Daily.' }, { instruction: 'Then test it.' }],
    }
    const own = { source: 'api', tokenLabel: expect.any(String) }
    expect(inboxItem).toMatchObject({ turned: null, notedBy: own })

    const turned = await bob.call('turnInboxItem', order, { idempotencyKey: 'turn-1' })

    expect(turned).toMatchObject({
      mission: { title: 'Rotate the logs' },
      objectives: [{ instruction: 'Daily.' }, { instruction: 'Then test it.' }],
      inboxItem: { title: 'Logs', text: 'Rotate.', turned: { at: expect.any(String), by: own } },
    })
    expect(await bob.call('turnInboxItem', order, { idempotencyKey: 'turn-1' })).toEqual(turned)
    const label = turned.inboxItem.turned?.by?.tokenLabel
    await expect(bob.call('turnInboxItem', order)).rejects.toMatchObject({
      code: 'already_exists',
      message: `This item was turned into mission ${turned.mission.displayId} before, by you with the token ${label}. Note the task down anew to make another mission of it.`,
      next: { operation: 'getMission', params: { id: turned.mission.displayId } },
    })
    const plain = { id: inboxItem.id, projectId: project.id }
    expect(await bob.call('turnInboxItem', plain)).toMatchObject({ reused: true })
    const { inboxItems } = await bob.call('listInboxItems', { state: 'turned', limit: 1 })
    expect(inboxItems).toEqual([turned.inboxItem])
  })

  test('without a text makes one without objectives, which needs no right to make those', async ({
    world,
  }) => {
    const { bob } = world
    const project = await world.projectWith()
    const [bare, described] = await Promise.all([
      bob.call('createInboxItem', { title: 'Bare' }),
      bob.call('createInboxItem', { title: 'Told', text: 'Do it.' }),
    ])
    const narrow = await bob.withToken({ permissions: ['mission:create', 'project:read'] })
    const turn = (item: typeof bare) =>
      narrow.call('turnInboxItem', { id: item.inboxItem.id, projectId: project.id })

    expect(await turn(bare)).toMatchObject({ objectives: [] })
    await expect(turn(described)).rejects.toMatchObject({
      details: { permission: 'objective:create' },
    })
  })

  test(
    'by many at once makes one, which every repetition answers',
    { tags: 'large' },
    async ({ world }) => {
      const { bob } = world
      const project = await world.projectWith()
      const { inboxItem } = await bob.call('createInboxItem', { title: 'Once', text: 'x' })
      const turn = () => bob.call('turnInboxItem', { id: inboxItem.id, projectId: project.id })

      const answers = await Promise.all(Array.from({ length: 16 }, turn))

      expect(new Set(answers.map(({ mission }) => mission.id)).size).toBe(1)
      expect(answers.filter(({ reused }) => !reused)).toHaveLength(1)
      const { missions } = await bob.call('listMissions', { projectId: project.id })
      expect(missions).toHaveLength(1)
      const again = await world.rowsWrittenBy(turn)
      expect(again).toEqual({ rows: [], refusal: undefined })
    },
  )

  test('is what it was, and there is no mission, when any part of it fails', async ({ world }) => {
    const { bob, domain } = world
    const project = await world.projectWith()
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Whole', text: 'x' })
    const turn = () => bob.call('turnInboxItem', { id: inboxItem.id, projectId: project.id })

    for (const fault of [
      { table: 'missions', operation: 'insert' },
      { table: 'objectives', operation: 'insert' },
      { table: 'inbox_items', operation: 'update' },
      { table: 'entity_changes', operation: 'insert' },
    ] as const) {
      const written = await world.rowsWrittenBy(() => withFault(domain.db, fault, turn))
      expect([fault, written]).toMatchObject([fault, { rows: [], refusal: {} }])
    }
    expect(await turn()).toMatchObject({ reused: false, inboxItem: { revision: 2 } })
  })

  test('tells the live feed of the mission and of nothing else', async ({ world }) => {
    const { bob } = world
    const project = await world.projectWith()
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Quiet' })
    const written = await world.rowsWrittenBy(() =>
      bob.call('turnInboxItem', { id: inboxItem.id, projectId: project.id }),
    )
    expect(written).toEqual({ rows: projectsFeed, refusal: undefined })
    const changes = await world.domain.db
      .selectFrom('entity_changes')
      .select(['entity', 'data'])
      .where('project_id', '=', project.id)
      .orderBy('seq')
      .execute()
    expect(changes.map(({ entity }) => entity)).toEqual(['project', 'mission'])
    expect(JSON.stringify(changes)).not.toContain(inboxItem.id)
  })

  test('is no other mission of another project, nor after that one is gone', async ({ world }) => {
    const { bob, domain } = world
    const [project, other] = [await world.projectWith(), await world.projectWith()]
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Once' })
    const { id } = inboxItem
    const { mission } = await bob.call('turnInboxItem', { id, projectId: project.id })
    const refused = { code: 'already_exists' }

    await expect(bob.call('turnInboxItem', { id, projectId: other.id })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining(mission.displayId),
    })
    const bound = await bob.withToken({ preset: 'full', projectIds: [other.id] })
    await expect(bound.call('turnInboxItem', { id, projectId: other.id })).rejects.toMatchObject({
      ...refused,
      message: expect.not.stringContaining(mission.displayId),
    })
    expect((await bound.call('getInboxItem', { id })).inboxItem.mission).toBeNull()
    await domain.db
      .updateTable('missions')
      .set({ deleted_at: new Date() })
      .where('id', '=', mission.id)
      .execute()
    await expect(bob.call('turnInboxItem', { id, projectId: project.id })).rejects.toMatchObject(
      refused,
    )
    expect((await bob.call('getInboxItem', { id })).inboxItem).toMatchObject({
      mission: null,
      turned: { at: expect.any(String) },
    })
  })
})
