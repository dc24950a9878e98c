import { limits } from '@svc/contracts/limits'
import { restContracts } from '@svc/contracts/rest'
import type { RouteRequest } from '@svc/contracts/rest'
import { tokenForObjective } from '../../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

type Query = RouteRequest<'listMissions'>

async function titles({ alice }: World, query: Query): Promise<string[]> {
  return (await alice.call('listMissions', query)).missions.map(({ title }) => title)
}

describe('the search for missions', () => {
  test('finds every word in the title, or in it and one objective, whatever stands around them', async ({
    world,
  }) => {
    const { project, mission } = await world.missionWith(
      ['Add a switch to `user_tokens`, for "Schlüssel".', '追加する: 暗いモード'],
      { title: 'Dark-mode (100%)' },
    )
    await world.missionWith(['Something else'], { project, title: 'Other' })
    const found = (query: string) => titles(world, { projectId: project.id, query })

    for (const query of [
      'dark mode',
      'MODE',
      '100%',
      'dark switch',
      'tokens',
      'user_tokens',
      'schlüssel',
      'SCHLÜSSEL',
      '暗い',
      'swit',
      `  dark\t mode `,
    ]) {
      expect([query, await found(query)]).toEqual([query, [mission.title]])
    }
    for (const query of ['dark other', 'witch', 'ad', '%', '_', "'", "\\' & | ! ( :*"]) {
      expect([query, await found(query)]).toEqual([query, []])
    }
    expect(await found('')).toEqual(['Other', mission.title])
  })

  test('finds a mission by its display id, or by that of an objective, and no other', async ({
    world,
  }) => {
    const { project, mission } = await world.missionWith(['Do it.'], { title: 'First' })
    const { mission: second } = await world.missionWith([`See ${mission.displayId}.`], {
      project,
      title: 'Second',
    })
    const [objective] = mission.objectives
    expect(await titles(world, { query: mission.displayId })).toEqual(['Second', 'First'])
    expect(await titles(world, { query: objective.displayId })).toEqual(['First'])
    expect(await titles(world, { query: ` ${second.displayId.toUpperCase()} ` })).toEqual([
      'Second',
    ])
    expect(await titles(world, { query: `${project.slug}:999` })).toEqual([])
    expect(await titles({ ...world, alice: world.carla }, { query: mission.displayId })).toEqual([])
    const other = await world.projectWith()
    expect(await titles(world, { query: mission.displayId, projectId: other.id })).toEqual([])
  })

  test('finds what a text says now', async ({ world }) => {
    const { alice } = world
    const { project, mission } = await world.missionWith(['First.'], { title: 'Before' })
    const [objective] = mission.objectives
    const found = (query: string) => titles(world, { projectId: project.id, query })

    await alice.call('updateMission', { id: mission.id, title: 'Later' })
    await alice.call('updateObjective', { id: objective.id, instruction: 'Second.', title: 'Top' })

    expect(await found('before')).toEqual([])
    expect(await found('first')).toEqual([])
    expect(await found('later second top')).toEqual(['Later'])
    await world.domain.db
      .updateTable('objectives')
      .set({ deleted_at: sql<Date>`app.now()`, position: null })
      .where('id', '=', objective.id)
      .execute()
    expect(await found('second')).toEqual([])
    expect(await found('later')).toEqual(['Later'])
  })

  test('finds by status, by the column of a board and by when it was changed last', async ({
    world,
  }) => {
    const { alice } = world
    const { project, mission: first } = await world.missionWith([], { title: 'first' })
    const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
    const review = statuses.find(({ type }) => type === 'review')
    const { mission: second } = await world.missionWith([], { project, title: 'second' })
    const statusId = review?.id ?? ''
    await world.advance(3600)
    await alice.call('moveMission', { id: first.id, statusId })
    const { updatedAt } = await alice.mission(first)
    const found = (query: Query) => titles(world, { projectId: project.id, ...query })

    expect(await found({ statusTypes: 'review,blocked' })).toEqual(['first'])
    expect(await found({ statusId })).toEqual(['first'])
    expect(await found({ statusId, statusTypes: 'draft' })).toEqual([])
    expect(await found({ statusTypes: 'draft', query: 'second' })).toEqual(['second'])
    expect(await found({ updatedSince: updatedAt })).toEqual(['first'])
    expect(await found({ updatedBefore: updatedAt })).toEqual(['second'])
    expect(await found({ updatedBefore: updatedAt.replace('Z', '+00:00') })).toEqual(['second'])
    expect(await found({ updatedSince: second.updatedAt, updatedBefore: updatedAt })).toEqual([
      'second',
    ])
    expect(await found({ statusId, query: 'first', updatedBefore: updatedAt })).toEqual([])
    expect(await found({ updatedSince: '0001-01-01T00:00:00-23:59' })).toEqual(['second', 'first'])
    expect(await found({ updatedSince: '9999-12-31T23:59:59-23:59' })).toEqual([])
  })

  test(
    'finds what has a budget, and what is held back by it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice } = world
      const project = await world.projectWith()
      const runner = await world.connectedRunner(project)
      const budgets = {
        none: {},
        money: { usd: '0.3', runs: 9 },
        tokens: { tokens: 42, usd: '0.300001' },
        runs: { runs: 1 },
        left: { usd: '5', tokens: 43, runs: 2 },
        nothing: { tokens: 0 },
      }
      for (const [title, budget] of Object.entries(budgets)) {
        const { mission } = await world.missionWith(['one'], { project, title })
        if (title !== 'nothing') {
          const { lease } = await world.attachedRun(mission.objectives[0], runner)
          await runner.exited(lease, { usage: { inputTokens: 40, outputTokens: 2, usd: '0.3' } })
        }
        await alice.call('updateMission', { id: mission.id, budget })
      }
      const found = (query: Query) => titles(world, { projectId: project.id, ...query })
      expect(await found({ budget: 'set' })).toEqual(['nothing', 'left', 'runs', 'tokens', 'money'])
      const spent = ['nothing', 'runs', 'tokens', 'money']
      expect(await found({ budget: 'spent' })).toEqual(spent)
      const { missions } = await alice.call('listMissions', { projectId: project.id })
      const left = missions.find(({ title }) => title === 'tokens')
      await alice.call('moveMission', { id: left?.id ?? '', statusId: 'cancelled' })
      const open = { statusTypes: 'draft,execute,review,blocked' }
      expect(await found({ budget: 'spent', ...open })).toEqual(['nothing', 'runs', 'money'])
      expect(await found({ budget: 'spent', query: 'tokens' })).toEqual(['tokens'])
    },
  )

  test('finds by priority, alone and with all else, however few have it', async ({ world }) => {
    const { alice } = world
    const { project, mission } = await world.missionWith(['Find the hairpin.'], {
      title: 'Aged',
      priority: 'urgent',
    })
    const { mission: low } = await world.missionWith([], { title: 'Low', priority: 'low', project })
    await alice.call('moveMission', { id: low.id, statusId: 'review' })
    await world.missionWith(['Find the hairpin.'], { title: 'Usual', project })
    const found = (query: Query) => titles(world, { projectId: project.id, ...query })

    expect(await found({ priority: 'urgent' })).toEqual(['Aged'])
    expect(await found({ priority: 'low' })).toEqual(['Low'])
    expect(await found({ priority: 'low', statusTypes: 'review' })).toEqual(['Low'])
    expect(await found({ priority: 'low', statusTypes: 'draft' })).toEqual([])
    expect(await found({ priority: 'urgent', query: 'hairpin' })).toEqual(['Aged'])
    expect(await found({ priority: 'high', query: 'hairpin' })).toEqual([])
    await sql`
      insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, created_by)
      select workspace_id, overlay(gen_random_uuid()::text placing 'f' from 1 for 1)::uuid, project_id,
             1000 + n, 'Newer', status_id, 'normal', created_by
        from missions, generate_series(1, 600) n where id = ${mission.id}`.execute(world.domain.db)
    expect(await found({ priority: 'urgent' })).toEqual(['Aged'])
    expect(await found({ priority: 'urgent', query: 'hairpin' })).toEqual(['Aged'])
    expect(await titles(world, { priority: 'urgent', query: 'hairpin aged' })).toEqual(['Aged'])
  })

  test('says where the words stand, where that is asked', async ({ world }) => {
    const { project, mission } = await world.missionWith(
      [
        'Read the settings.',
        `${'Before that. '.repeat(20)}Rotate\n the keys. ${'After. '.repeat(30)}`,
      ],
      { title: 'Security' },
    )
    const { mission: titled } = await world.missionWith(['Rotate.'], {
      title: 'Rotate the keys',
      project,
    })
    const query = { projectId: project.id, query: 'rotate keys' }
    const { missions, matches } = await world.alice.call('listMissions', {
      ...query,
      matches: 'true',
    })
    expect(missions.map(({ title }) => title)).toEqual(['Rotate the keys', 'Security'])
    const [, second] = mission.objectives
    expect(matches).toEqual(
      expect.arrayContaining([
        { missionId: titled.id, objective: null, excerpt: null },
        {
          missionId: mission.id,
          objective: { id: second.id, displayId: second.displayId, title: second.title },
          excerpt: expect.stringMatching(/^… .*that\. Rotate the keys\. After\..* …$/),
        },
      ]),
    )
    const asked = { query: 'security settings', matches: 'true' as const }
    const { matches: both } = await world.alice.call('listMissions', asked)
    expect(both).toMatchObject([
      { objective: { displayId: mission.objectives[0].displayId }, excerpt: 'Read the settings.' },
    ])
    expect(await world.alice.call('listMissions', query)).not.toHaveProperty('matches')
    const named = { query: mission.displayId, matches: 'true' as const }
    expect(await world.alice.call('listMissions', named)).toMatchObject({ matches: [] })
  })

  test('gives each mission once, page by page, while missions are made, changed and moved', async ({
    world,
  }) => {
    const { alice } = world
    const project = await world.projectWith()
    for (let index = 0; index < 7; index += 1)
      await world.missionWith([], { project, title: `needle ${index}` })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await alice.call('listMissions', {
        projectId: project.id,
        query: 'needle',
        limit: 2,
        ...(cursor && { cursor }),
      })
      seen.push(...page.missions.map(({ title }) => title))
      await world.missionWith([], { project, title: 'needle made meanwhile' })
      const [last] = page.missions.slice(-1)
      if (last) await alice.call('updateMission', { id: last.id, priority: 'high' })
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `needle ${index}`))
  })

  test('reaches what lies behind more missions than are looked through one by one', async ({
    world,
  }) => {
    const { project, mission } = await world.missionWith(['Find the needle.'], { title: 'Old' })
    const { alice } = world
    const blocked = (await alice.call('listProjectStatuses', { id: project.id })).statuses.find(
      ({ type }) => type === 'blocked',
    )
    await alice.call('moveMission', { id: mission.id, statusId: blocked?.id ?? '' })
    await sql`
      insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, created_by)
      select m.workspace_id, overlay(gen_random_uuid()::text placing 'f' from 1 for 1)::uuid, m.project_id,
             1000 + n, 'Newer', d.id, 'normal', m.created_by
        from missions m, generate_series(1, 600) n, project_statuses d
       where m.id = ${mission.id} and d.project_id = m.project_id and d.type = 'draft'`.execute(
      world.domain.db,
    )
    expect(await titles(world, { query: 'needle old' })).toEqual(['Old'])
    expect(await titles(world, { query: mission.displayId })).toEqual(['Old'])
    expect(await titles(world, { projectId: project.id, statusTypes: 'blocked' })).toEqual(['Old'])
    expect(await titles(world, { statusId: blocked?.id ?? '' })).toEqual(['Old'])
    expect(await titles(world, { projectId: project.id, query: 'newer', limit: 3 })).toEqual([
      'Newer',
      'Newer',
      'Newer',
    ])
  })

  test('tells of no other workspace, project or mission than the token is for', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['A secret word.'])
    const { mission: other } = await world.missionWith(['A secret word.'])
    const { mission: sibling } = await world.missionWith(['A secret word.'], { project })
    const [objective] = mission.objectives
    const found = async (person: typeof alice) =>
      (await person.call('listMissions', { query: 'secret' })).missions.map(({ id }) => id)

    const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    expect(await found(alice)).toEqual([sibling.id, other.id, mission.id])
    expect(await found(bound)).toEqual([sibling.id, mission.id])
    expect(await found(await tokenForObjective(world, alice, objective))).toEqual([mission.id])
    expect(await found(world.carla)).toEqual([])
  })

  test(
    verifies('tool.svc_search_missions.finds', 'finds for an agent what its words say'),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['Rotate the keys.'])
      const { mission: second } = await world.missionWith(['Rotate the logs.'], { project })
      const search = (input: object) =>
        alice.tool('svc_search_missions', { projectId: project.slug, ...input })

      const { missions } = await search({ query: 'rotate keys', statusTypes: ['draft'] })
      expect(missions).toEqual([expect.objectContaining({ displayId: mission.displayId })])
      const page = await search({ query: 'rotate', limit: 1 })
      expect(page.missions.map(({ id }) => id)).toEqual([second.id])
      const next = await search({ query: 'rotate', limit: 1, cursor: page.nextCursor })
      expect(next.missions.map(({ id }) => id)).toEqual([mission.id])
      expect(next).not.toHaveProperty('nextCursor')
    },
  )
})

test('a range that begins before all time is refused', () => {
  const { query } = restContracts.listMissions
  const since = (updatedSince: string) => query.safeParse({ updatedSince }).success
  expect(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', 'soon'].map(since)).toEqual([
    false,
    false,
    false,
  ])
})

test('a search for too many words is refused', () => {
  const { query } = restContracts.listMissions
  const words = (count: number) => query.safeParse({ query: 'w '.repeat(count) }).success
  expect([words(limits.searchWords), words(limits.searchWords + 1)]).toEqual([true, false])
})
