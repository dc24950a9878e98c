import { limits } from '@svc/contracts/limits'
import { sql } from 'kysely'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const large = 'x'.repeat(limits.contentTextBytes)
/** Ids for copies that are made at once: each `n` has one, above those that there are. */
const laterIds = sql`('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid`

interface Page<T> {
  items: T[]
  nextCursor?: string | undefined
}

/** The pages to the last one; of each, all that is in it. */
async function pagesOf<T>(read: (cursor?: { cursor: string }) => Promise<Page<T>>): Promise<T[][]> {
  const pages: T[][] = []
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor === undefined ? undefined : { cursor })
    pages.push(page.items)
    cursor = page.nextCursor
    if (cursor === undefined) return pages
  }
}

describe('a page that would be too large ends early, and the next goes on from there:', () => {
  test('of artifacts', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { id } = mission
    const input = { id, type: 'other', label: 'Large', contentText: large }
    const { artifact } = await alice.call('createArtifact', input)
    await sql`
      insert into artifacts (workspace_id, id, mission_id, type, label, content_text)
      select workspace_id, ${laterIds}, mission_id, type, label, content_text
        from artifacts, generate_series(1, 21) n where id = ${artifact.id}`.execute(world.domain.db)
    const pages = await pagesOf(async (cursor) => {
      const { artifacts, nextCursor } = await alice.call('listArtifacts', { id, ...cursor })
      return { items: artifacts, nextCursor }
    })
    expect(new Set(pages.flat().map((one) => one.id)).size).toBe(22)
    expect(pages.map((page) => page.length)).toEqual([20, 2])
  })

  test('of questions', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    const text = '€'.repeat(limits.answerCharacters)
    await sql`
      insert into questions
      select (jsonb_populate_record(q, jsonb_build_object('id', ${laterIds}, 'status', 'withdrawn',
        'answer_text', ${text}::text, 'closed_at', app.now(),
        'answered_at', app.now(), 'answered_by', ${(await alice.actor()).userId}::text))).*
        from questions q, generate_series(1, 99) n where q.id = ${questionId}`.execute(
      world.domain.db,
    )
    const pages = await pagesOf(async (cursor) => {
      const asked = { missionId: mission.id, limit: limits.pageItemsMax, ...cursor }
      const { questions, nextCursor } = await alice.call('listQuestions', asked)
      return { items: questions, nextCursor }
    })
    expect(new Set(pages.flat().map((one) => one.id)).size).toBe(100)
    expect(pages).toHaveLength(2)
  })

  test('of a mission’s events', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const text = '€'.repeat(limits.updateCharacters)
    await world.agentOf(alice, { missionId: mission.id }).attach()
    await sql`
      insert into mission_events (workspace_id, id, mission_id, type, summary, actor_role)
      select workspace_id, ${laterIds}, id, 'update', ${text}, 'agent'
        from missions, generate_series(1, 190) n where id = ${mission.id}`.execute(world.domain.db)
    const pages = await pagesOf(async (cursor) => {
      const asked = { id: mission.id, limit: limits.pageItemsMax, ...cursor }
      const { events, nextCursor } = await alice.call('listMissionEvents', asked)
      return { items: events, nextCursor }
    })
    expect(new Set(pages.flat().map((event) => event.id)).size).toBe(pages.flat().length)
    expect(pages.flat().filter((event) => event.summary === text)).toHaveLength(190)
    expect(pages).toHaveLength(2)
    expect(pages[0]?.length).toBeLessThan(190)
  })

  test('of changed files', { tags: 'large' }, async ({ world }) => {
    const changed = await deliveredWith(world, 250)
    const pages = await pagesOf(async (cursor) => {
      const asked = { id: changed.missionId, limit: limits.pageItemsMax, ...cursor }
      const { fileChanges, nextCursor } = await world.alice.call('listFileChanges', asked)
      return { items: fileChanges, nextCursor }
    })
    expect(pages.flat().map((one) => one.filePath)).toEqual(changed.paths)
    expect(pages[0]?.length).toBeLessThan(limits.pageItemsMax)
    expect(pages).toHaveLength(2)
  })
})

/** So many files, each told of at the greatest length. */
async function deliveredWith(world: World, files: number) {
  const { mission } = await world.missionWith(['a'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const long = '€'.repeat(2000)
  const hunks = Array.from({ length: 20 }, () => ({ header: '€'.repeat(200) }))
  const paths = Array.from({ length: files }, (_, index) => `file-${1000 + index}.ts`)
  const said = { label: 'Long', summary: long, why: long, impact: long, hunks }
  await agent.deliver({ changeRationales: paths.map((filePath) => ({ filePath, ...said })) })
  return { missionId: mission.id, paths }
}
