import { FeedCursor, type FeedEvent } from '@svc/contracts/feed'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { followFeed } from '../testing/follow-feed.ts'

describe('the feed', () => {
  test(
    'tells every committed change once, in order of transaction',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const feed = await followFeed(world, alice, { missionId: mission.id })
      const writers = Array.from({ length: 12 }, (_, index) =>
        write(world, mission, `w${index}`, 3),
      )
      const changes = await feed.take(36)
      await Promise.all(writers)
      expect(new Set(changes.map((one) => one.id)).size).toBe(36)
      expect(changes.map(operationOf).toSorted()).toEqual(
        Array.from({ length: 12 }, (_, index) => Array<string>(3).fill(`w${index}`))
          .flat()
          .toSorted(),
      )
      const ids = changes.map((one) => one.id.split('.').map(Number))
      expect(ids).toEqual(ids.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d))
      await feed.close()
    },
  )

  test('does not skip a slow transaction that commits after faster ones', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const feed = await followFeed(world, alice, { missionId: mission.id })
    const begun = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const slow = inTransaction(world, async (tx) => {
      recordChange(tx, ...changeOf(world, mission, 'slow'))
      // answered after what was sent before it
      await sql`select`.execute(tx)
      begun.resolve()
      await release.promise
    })
    await begun.promise
    await write(world, mission, 'fast', 1)
    const next = feed.take(2)
    release.resolve()
    await slow
    expect((await next).map(operationOf)).toEqual(['slow', 'fast'])
    await feed.close()
  })

  test('keeps the order when the numbers of transactions get one digit more', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    for (const operation of ['first', 'second']) await write(world, mission, operation, 1)
    await sql`
      update entity_changes set xid = case operation when 'first' then '9' else '10' end::xid8
       where operation in ('first', 'second')`.execute(world.domain.db)
    const feed = await followFeed(world, alice, { missionId: mission.id, cursor: '1.0' })
    expect((await feed.take(2)).map(operationOf)).toEqual(['first', 'second'])
    await feed.close()
  })

  test('never tells what was rolled back', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const feed = await followFeed(world, alice, { missionId: mission.id })
    const failing = inTransaction(world, async (tx) => {
      recordChange(tx, ...changeOf(world, mission, 'undone'))
      // answered after what was sent before it
      await sql`select`.execute(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await write(world, mission, 'done', 1)
    expect((await feed.take(1)).map(operationOf)).toEqual(['done'])
    await feed.close()
  })

  test('goes on after the cursor, inside a transaction too', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const first = await followFeed(world, alice, { missionId: mission.id })
    await write(world, mission, 'one', 3)
    await write(world, mission, 'two', 1)
    const changes = await first.take(4)
    await first.close()
    for (const [index, item] of changes.entries()) {
      const resumed = await followFeed(world, alice, { missionId: mission.id, cursor: item.id })
      await write(world, mission, 'marker', 1)
      const rest = await resumed.take(changes.length - index)
      expect(rest.slice(0, -1).map(withPlace)).toEqual(changes.slice(index + 1).map(withPlace))
      await resumed.close()
    }
  })

  test(
    'tells a cursor from before what is kept to start anew, and goes on from there',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const first = await followFeed(world, alice, {})
      await write(world, mission, 'old', 1)
      await write(world, mission, 'old', 1)
      const [old] = await first.take(1)
      await first.close()
      await world.advance(8 * 24 * 3600)
      await purgeExpired(world.domain, 'each hour')
      const { rows } = await sql`select from entity_changes`.execute(world.domain.db)
      expect(rows).toEqual([])

      const resumed = await followFeed(world, alice, { cursor: old?.id ?? '' })
      expect(await resumed.take(1)).toMatchObject([
        { event: 'reset', data: { reason: 'cursor_too_old' } },
      ])
      await write(world, mission, 'new', 1)
      expect((await resumed.take(1)).map(operationOf)).toEqual(['new'])
      await resumed.close()
    },
  )

  test('begins at whatever is a cursor, and at nothing that only looks like one', async ({
    world,
  }) => {
    const { alice } = world
    for (const cursor of ['0.0', '1.0', `${'9'.repeat(18)}.${'9'.repeat(18)}`]) {
      expect(FeedCursor.safeParse(cursor).success).toBe(true)
      await (await followFeed(world, alice, { cursor })).close()
    }
    for (const cursor of ['08.1', '1.08', `${'9'.repeat(20)}.0`, `1.${'9'.repeat(19)}`, '1', '1.x'])
      expect([cursor, FeedCursor.safeParse(cursor).success]).toEqual([cursor, false])
  })

  test('keeps 7 days', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const first = await followFeed(world, alice, { missionId: mission.id })
    await write(world, mission, 'a', 1)
    const [change] = await first.take(1)
    await first.close()
    await world.advance(6 * 24 * 3600)
    await purgeExpired(world.domain, 'each hour')
    await write(world, mission, 'b', 1)
    const resumed = await followFeed(world, alice, {
      missionId: mission.id,
      cursor: change?.id ?? '',
    })
    expect(await resumed.take(1)).toMatchObject([{ event: 'change', data: { operation: 'b' } }])
    await resumed.close()
  })

  test(
    'of the workspace tells a token bound to a project of that project alone',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith([])
      const { mission: other } = await world.missionWith([])
      const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
      const [narrow, wide] = [
        await followFeed(world, bound, {}),
        await followFeed(world, alice, {}),
      ]
      await write(world, other, 'there', 1)
      await agentEvent(world, other)
      await write(world, mission, 'here', 1)
      expect((await narrow.take(1)).map(operationOf)).toEqual(['here'])
      expect((await wide.take(3)).map(operationOf)).toEqual(['there', 'mission_event', 'here'])
      await narrow.close()
      await wide.close()
      const foreign = followFeed(world, bound, { missionId: other.id })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  test(
    'passes what its reader may not read, a page at a time',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith([])
      const { mission: other } = await world.missionWith([])
      const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
      const feed = await followFeed(world, bound, {})
      await write(world, other, 'there', 1_100)
      await write(world, mission, 'here', 1)
      expect((await feed.take(1)).map(operationOf)).toEqual(['here'])
      await feed.close()
    },
  )

  test(
    'of the workspace tells a token of one objective of its mission alone',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a'])
      const { mission: other } = await world.missionWith([], { project })
      const bound = await tokenForObjective(world, alice, mission.objectives[0])
      const narrow = await followFeed(world, bound, {})
      await write(world, other, 'there', 1)
      await agentEvent(world, other)
      await write(world, mission, 'here', 1)
      expect((await narrow.take(1)).map(operationOf)).toEqual(['here'])
      await narrow.close()
      const foreign = followFeed(world, bound, { missionId: other.id })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
      const own = await followFeed(world, bound, { missionId: mission.id })
      await write(world, mission, 'here', 1)
      expect((await own.take(1)).map(operationOf)).toEqual(['here'])
      await own.close()
    },
  )

  test('tells each of two who read it together what is theirs alone', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const [one, other] = [await world.person('member'), await world.person('member')]
    const feeds = [await followFeed(world, one), await followFeed(world, other)]
    const heard = feeds.map((feed) => feed.take(3))
    await write(world, mission, 'before', 1)
    await one.call('createInboxItem', { title: 'Mine' })
    await write(world, mission, 'between', 1)
    await write(world, mission, 'after', 1)
    const told = (await Promise.all(heard)).map((changes) => changes.map(operationOf))
    expect(told).toEqual([
      ['before', 'create', 'between'],
      ['before', 'between', 'after'],
    ])
    for (const feed of feeds) await feed.close()
  })

  test('tells another workspace nothing', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const foreign = followFeed(world, world.carla, { missionId: mission.id })
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    const feed = await followFeed(world, world.carla, {})
    await write(world, mission, 'here', 1)
    await world.carla.call('createProject', { name: 'There' })
    expect(await feed.take(1)).toMatchObject([{ data: { entity: 'project', operation: 'create' } }])
    await feed.close()
  })

  describe('ends at the next look at the rights of its reader', () => {
    const losses: Record<
      string,
      (world: World, reader: { userId: string; tokenId: string }) => Promise<unknown>
    > = {
      'who was disabled': ({ domain }, { userId }) =>
        sql`update users set disabled_at = app.now() where id = ${userId}`.execute(domain.db),
      'who left': ({ domain }, { userId }) =>
        sql`delete from memberships where user_id = ${userId}`.execute(domain.db),
      'whose token was revoked': ({ domain }, { tokenId }) =>
        sql`update user_tokens set revoked_at = app.now() where id = ${tokenId}`.execute(domain.db),
      'whose token may not read any more': ({ domain }, { tokenId }) =>
        sql`delete from user_token_scopes where token_id = ${tokenId}`.execute(domain.db),
    }

    test.for(Object.entries(losses))('%s', async ([, lose], { world }) => {
      const { mission } = await world.missionWith([])
      const reader = await world.person('member')
      const bound = await reader.withPreset('read_only')
      const { userId, credential } = await bound.actor()
      vi.useFakeTimers({ toFake: ['performance'] })
      try {
        const feed = await followFeed(world, bound, {})
        await write(world, mission, 'before', 1)
        await feed.take(1)
        await lose(world, { userId, tokenId: credential.id })
        vi.advanceTimersByTime(20_000)
        await expect(feed.take(1)).rejects.toThrow('the feed ended')
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test('tells what the calls of the service change', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const feed = await followFeed(world, alice, { missionId: mission.id })
    await alice.launch(mission.objectives[0])
    const changes = await feed.take(3)
    expect(
      changes
        .map((one) =>
          one.event === 'change' ? `${one.data.entity} ${one.data.operation}` : one.event,
        )
        .toSorted(),
    ).toEqual(['execution_request queue', 'mission_event execution_requested', 'objective launch'])
    expect(
      changes.find((one) => one.event === 'change' && one.data.entity === 'objective'),
    ).toMatchObject({
      data: {
        entityId: mission.objectives[0].id,
        missionId: mission.id,
        projectId: mission.projectId,
        data: { state: 'launching' },
      },
    })
    await feed.close()
  })
})

/** With its place among the changes: how far its reader has come with the lengths of logs is another matter. */
function withPlace(item: FeedEvent): FeedEvent {
  return { ...item, id: item.id.split('.').slice(0, 2).join('.') }
}

function operationOf(item: FeedEvent): string {
  if (item.event !== 'change') return item.event
  return item.data.entity === 'mission_event' ? 'mission_event' : item.data.operation
}

function changeOf(world: World, mission: { id: string; projectId: string }, operation: string) {
  const { id, projectId: project_id } = mission
  const row = { workspace_id: world.workspaceId, id, project_id, title: 'Mission', revision: 1 }
  return [{ mission: row }, operation] as const
}

function write(
  world: World,
  mission: { id: string; projectId: string },
  operation: string,
  times: number,
): Promise<void> {
  return inTransaction(world, async (tx) => {
    for (let time = 0; time < times; time += 1)
      recordChange(tx, ...changeOf(world, mission, operation))
  })
}

/** A change that names its mission and not its project. */
function agentEvent(world: World, { id }: { id: string }): Promise<void> {
  const about = { workspace_id: world.workspaceId, id, mission_id: id, type: 'update' }
  return inTransaction(world, async (tx) => recordChange(tx, { mission_event: about }, 'update'))
}
