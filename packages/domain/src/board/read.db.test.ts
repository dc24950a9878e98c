import type { BoardColumn } from '@svc/contracts/board'
import type { RouteRequest } from '@svc/contracts/rest'
import type { StatusType } from '@svc/contracts/states'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'

type Query = Omit<RouteRequest<'getBoard'>, 'id'>

async function scene({ alice, ...world }: World) {
  const project = await world.projectWith()
  const runner = await world.connectedRunner(project)
  const missionOf = async (title: string, set: object = {}) =>
    (await world.missionWith(['a', 'b'], { project, title, ...set })).mission
  const board = async (query: Query = {}) =>
    (await alice.call('getBoard', { id: project.slug, ...query })).columns
  const columnOf = async (type: StatusType, query?: Query) => {
    const columns = await board(query)
    const column = columns.find(({ status }) => status.type === type)
    if (!column) throw new Error(`the project has a status of the type ${type}`)
    return column
  }
  const attached = async (objective: { id: string }) => {
    await alice.launch(objective)
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    return { lease, agent }
  }
  return { project, runner, missionOf, board, columnOf, attached, alice }
}

const titlesOf = ({ cards }: BoardColumn) => cards.map(({ title }) => title)

describe('a board', () => {
  test(
    'has a column of each status in their order, with its count and its newest missions',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, missionOf, board, columnOf } = await scene(world)
      for (const title of ['first', 'second', 'third']) await missionOf(title)
      const done = await missionOf('done')
      await alice.call('moveMission', { id: done.id, statusId: 'complete' })
      const gone = await missionOf('gone')
      await alice.call('deleteMissions', { missionIds: [gone.id], confirm: true })
      await world.missionWith(['elsewhere'])

      const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
      expect((await board()).map(({ status, count }) => [status.label, count])).toEqual(
        statuses.map(({ type, label }) => {
          if (type === 'draft') return [label, 3]
          return [label, type === 'complete' ? 1 : 0]
        }),
      )
      const draft = await columnOf('draft')
      expect(titlesOf(draft)).toEqual(['third', 'second', 'first'])
      expect(draft).toMatchObject({
        countsMore: false,
        cards: [{ displayId: `${project.slug}:3`, priority: 'normal', badge: null }, {}, {}],
      })
      expect(draft.nextCursor).toBeUndefined()
      expect(draft.cards[0]?.progress).toEqual({ complete: 0, total: 2 })
      expect(titlesOf(await columnOf('complete'))).toEqual(['done'])
    },
  )

  test('goes on in one column, and gives out no mission twice', async ({ world }) => {
    const { alice, project, missionOf, columnOf } = await scene(world)
    for (const title of ['1', '2', '3', '4', '5']) await missionOf(title)
    const first = await columnOf('draft', { limit: 2 })
    expect([titlesOf(first), first.count]).toEqual([['5', '4'], 5])
    const statusId = first.status.id
    const goOn = async (cursor = '') =>
      alice.call('getBoard', { id: project.id, statusId, cursor, limit: 2 })
    const second = await goOn(first.nextCursor)
    expect(second.columns.map(titlesOf)).toEqual([['3', '2']])
    const [last] = (await goOn(second.columns[0]?.nextCursor)).columns
    expect([last && titlesOf(last), last?.nextCursor, last?.count]).toEqual([['1'], undefined, 5])
    const invalid = { code: 'validation_failed' }
    await expect(goOn('x')).rejects.toMatchObject(invalid)
    const cursor = first.nextCursor ?? ''
    await expect(alice.call('getBoard', { id: project.id, cursor })).rejects.toMatchObject(invalid)
    await expect(
      alice.call('getBoard', { id: project.id, statusId: project.id }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('shows those that pass its filters, each column with how many there are', async ({
    world,
  }) => {
    const { alice, missionOf, board, columnOf } = await scene(world)
    await missionOf('Dark icons', { priority: 'urgent' })
    await missionOf('Dark menu')
    const moved = await missionOf('Light icons', { priority: 'urgent' })
    await alice.call('moveMission', { id: moved.id, statusId: 'blocked' })

    const shown = async (query: Query) =>
      (await board(query)).flatMap((column) =>
        column.count === 0 ? [] : [[column.status.type, column.count, ...titlesOf(column)]],
      )
    expect(await shown({ priority: 'urgent' })).toEqual([
      ['draft', 1, 'Dark icons'],
      ['blocked', 1, 'Light icons'],
    ])
    expect(await shown({ query: 'dark' })).toEqual([['draft', 2, 'Dark menu', 'Dark icons']])
    expect(await shown({ query: 'dark ico' })).toEqual([['draft', 1, 'Dark icons']])
    expect(await shown({ query: moved.displayId })).toEqual([['blocked', 1, 'Light icons']])
    expect(await shown({ query: 'icons', priority: 'low' })).toEqual([])
    const blocked = await board({ statusTypes: 'blocked,review', query: 'icons' })
    expect(Object.fromEntries(blocked.map(({ status, count }) => [status.type, count]))).toEqual({
      blocked: 1,
      review: 0,
    })
    const first = await columnOf('draft', { query: 'dark', limit: 1 })
    expect([titlesOf(first), first.nextCursor]).toEqual([['Dark menu'], first.cards[0]?.id])
    const rest = { statusId: first.status.id, cursor: first.nextCursor ?? '' }
    expect(await shown({ query: 'dark', ...rest })).toEqual([['draft', 1, 'Dark icons']])
  })

  test('finds what is rare beyond the newest of a long column, and says where its look ends', async ({
    world,
  }) => {
    const { alice, project, missionOf, columnOf } = await scene(world)
    const old = await missionOf('Needle', { priority: 'urgent' })
    const { status } = await columnOf('draft')
    await sql`
      insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, created_by)
      select workspace_id, overlay(gen_random_uuid()::text placing 'ffffffff' from 1 for 8)::uuid, project_id,
             n, 'Straw', status_id, 'normal', created_by
        from missions, generate_series(100, 1199) n where id = ${old.id}`.execute(world.domain.db)
    const whole = await columnOf('draft')
    expect([whole.count, whole.cards.length]).toEqual([1101, 30])
    const found = await columnOf('draft', { query: 'needle' })
    expect([titlesOf(found), found.count, found.nextCursor]).toEqual([['Needle'], 1, undefined])
    const straws = await columnOf('draft', { query: 'straw' })
    expect([straws.cards.length, straws.countsMore]).toEqual([30, true])
    // no index holds a priority: the look is bounded, and the next page goes on with it
    const page = await columnOf('draft', { priority: 'urgent' })
    expect([titlesOf(page), page.countsMore]).toEqual([[], true])
    const { columns } = await alice.call('getBoard', {
      id: project.id,
      priority: 'urgent',
      statusId: status.id,
      cursor: page.nextCursor ?? '',
    })
    expect(columns.map(titlesOf)).toEqual([['Needle']])
  })

  test(
    'gives each card the one badge that matters most, and finds it by that',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, runner, missionOf, board, attached } = await scene(world)
      const missions = {
        waits: await missionOf('waits', { allowParallelObjectives: true }),
        awaits_approval: await missionOf('awaits_approval'),
        failed: await missionOf('failed'),
        running: await missionOf('running'),
        queued: await missionOf('queued'),
        none: await missionOf('none'),
      }
      const [asking, failing] = missions.waits.objectives
      await alice.launch(failing)
      await runner.failed(await runner.take())
      const { agent } = await attached(asking)
      await agent.ask()
      await (await attached(missions.awaits_approval.objectives[0])).agent.deliver()
      await alice.launch(missions.failed.objectives[0])
      await runner.failed(await runner.take())
      const running = await attached(missions.running.objectives[0])
      await running.agent.heartbeat({ percent: 60 })
      await alice.launch(missions.queued.objectives[0], { agent: 'rare' })

      const cards = (await board()).flatMap((column) => column.cards)
      const badges = cards.map(({ title, badge }) => [title, badge?.kind ?? 'none'] as const)
      expect(Object.fromEntries(badges)).toEqual(
        Object.fromEntries(Object.keys(missions).map((one) => [one, one])),
      )
      const badgeOf = (title: string) => cards.find((card) => card.title === title)?.badge
      expect(badgeOf('waits')).toMatchObject({
        objective: { displayId: asking.displayId },
        agent: 'scripted',
        waitsOn: 'Tabs or spaces?',
      })
      expect(badgeOf('awaits_approval')).toMatchObject({ agent: null, waitsOn: null })
      expect(badgeOf('failed')).toMatchObject({
        agent: 'scripted',
        waitsOn: 'agent_not_found: It is not installed.',
      })
      expect(badgeOf('running')).toMatchObject({ agent: 'scripted', percent: 60, waitsOn: null })
      expect(badgeOf('queued')).toMatchObject({ agent: 'rare', waitsOn: 'no runner offers rare' })
      const [approved] = cards.filter(({ title }) => title === 'awaits_approval')
      expect(approved?.progress).toEqual({ complete: 1, total: 2 })

      for (const badge of ['waits', 'awaits_approval', 'failed', 'running', 'queued'] as const) {
        const found = (await board({ badge })).flatMap((column) => column.cards)
        expect(found.map((card) => [card.title, card.badge?.kind])).toEqual([[badge, badge]])
      }
      expect((await board({ badge: 'waits', query: 'failed' })).flatMap(titlesOf)).toEqual([])
    },
  )

  test('says of an agent that nobody launched that it is running', async ({ world }) => {
    const { missionOf, board } = await scene(world)
    const mission = await missionOf('own')
    await world.agentOf(world.bob, { missionId: mission.id, agentIdentifier: 'codex' }).attach()
    const [card] = (await board({ badge: 'running' })).flatMap((column) => column.cards)
    expect(card).toMatchObject({ title: 'own', badge: { agent: 'codex' } })
  })

  test('is shown to whoever sees its project, and of it what they see', async ({ world }) => {
    const { alice, project, missionOf, columnOf } = await scene(world)
    const mission = await missionOf('seen')
    await missionOf('other')
    await expect(world.carla.call('getBoard', { id: project.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const elsewhere = await world.projectWith()
    const away = await alice.withToken({ preset: 'read_only', projectIds: [elsewhere.id] })
    await expect(away.call('getBoard', { id: project.slug })).rejects.toMatchObject({
      code: 'not_found',
    })
    const bound = await tokenForObjective(world, alice, mission.objectives[0])
    const { columns } = await bound.call('getBoard', { id: project.id })
    const draft = columns.find(({ status }) => status.type === 'draft')
    expect([draft && titlesOf(draft), draft?.count]).toEqual([['seen'], 1])
    expect((await columnOf('draft')).count).toBe(2)
  })
})
