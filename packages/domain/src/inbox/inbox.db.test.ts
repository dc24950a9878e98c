import { personWith } from '../testing/people.ts'
import { createInboxItem } from './create.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

async function expectNotFound(calls: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(calls)
  expect(ends).toEqual(
    calls.map(() => ({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'not_found' }),
    })),
  )
}

describe('an inbox item', () => {
  test('is noted down, changed, done, opened again and deleted', async ({ world }) => {
    const { bob } = world
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Logs', text: 'Look.' })
    const { id } = inboxItem
    expect(inboxItem).toMatchObject({ title: 'Logs', text: 'Look.', mission: null, doneAt: null })
    const change = async (input: object) =>
      (await bob.call('updateInboxItem', { id, ...input })).inboxItem

    expect(await change({ title: 'Rotate logs', text: null })).toMatchObject({
      title: 'Rotate logs',
      text: null,
      revision: 2,
    })
    await expect(change({ title: 'x', expectedRevision: 1 })).rejects.toMatchObject({
      code: 'revision_mismatch',
    })
    const done = await change({ done: true })
    expect(done.doneAt).not.toBeNull()
    await world.advance(60)
    expect(await change({ done: true })).toMatchObject({ doneAt: done.doneAt })
    expect(await change({ done: false })).toMatchObject({ doneAt: null })
    await bob.call('deleteInboxItem', { id })
    await expectNotFound([
      bob.call('getInboxItem', { id }),
      change({ done: true }),
      bob.call('deleteInboxItem', { id }),
    ])
  })

  test('is listed page by page, the newest first, those that are done only with all', async ({
    world,
  }) => {
    const vera = await world.person('member')
    const ids: string[] = []
    for (const title of ['one', 'two', 'three', 'four']) {
      ids.push((await vera.call('createInboxItem', { title })).inboxItem.id)
    }
    const [one = '', two = '', three = '', four = ''] = ids
    await vera.call('updateInboxItem', { id: three, done: true })
    const listed = async (query: object) => {
      const { inboxItems, openCount, nextCursor } = await vera.call('listInboxItems', query)
      expect(openCount).toBe(3)
      return [inboxItems.map(({ id }) => id), nextCursor]
    }

    expect(await listed({})).toEqual([[four, two, one], undefined])
    expect(await listed({ state: 'all', limit: 2 })).toEqual([[four, three], three])
    expect(await listed({ state: 'all', cursor: three })).toEqual([[two, one], undefined])
    expect(await listed({ state: 'turned' })).toEqual([[], undefined])
  })

  test(
    verifies('tool.svc_create_inbox_item.private', 'of one account is there for nobody else'),
    async ({ world }) => {
      const { bob, alice, domain } = world
      const { item } = await bob.tool('svc_create_inbox_item', { title: 'Mine', text: 'alone' })
      const { id } = item
      const project = await world.projectWith()
      const owner = await world.person('owner')

      for (const other of [alice, owner, world.carla]) {
        await expectNotFound([
          other.call('getInboxItem', { id }),
          other.call('updateInboxItem', { id, done: true }),
          other.call('turnInboxItem', { id, projectId: project.id }),
          other.call('deleteInboxItem', { id }),
        ])
        const { inboxItems } = await other.call('listInboxItems', { state: 'all', limit: 200 })
        expect(inboxItems.map((one) => one.id)).not.toContain(id)
      }
      expect(await bob.call('getInboxItem', { id })).toEqual({ inboxItem: item })
      const again = personWith(domain, (await bob.withPreset('full')).token)
      expect(await again.call('getInboxItem', { id })).toEqual({ inboxItem: item })
    },
  )

  test(
    verifies(
      'tool.svc_create_inbox_item.unassigned',
      'is in no project, given to nobody, and told to its owner alone until it is turned into a mission',
    ),
    async ({ world }) => {
      const { bob } = world
      const written = await world.rowsWrittenBy(() =>
        bob.tool('svc_create_inbox_item', { title: 'Later' }),
      )
      expect(written).toEqual({ rows: ['entity_changes', 'inbox_items'], refusal: undefined })
      const { userId } = await bob.actor()
      const told = await world.domain.db
        .selectFrom('entity_changes')
        .select(['user_id', 'project_id', 'mission_id', 'data'])
        .where('entity', '=', 'inbox_item')
        .orderBy('seq', 'desc')
        .executeTakeFirst()
      expect(told).toEqual({ user_id: userId, project_id: null, mission_id: null, data: {} })
    },
  )

  test('says by what it was noted down, also when that token is gone', async ({ world }) => {
    const person = await world.person('member')
    const { userToken, token } = await person.call('createUserToken', {
      label: 'Claude',
      preset: 'full',
    })
    const other = personWith(world.domain, token)
    const { item } = await other.tool('svc_create_inbox_item', { title: 'By an agent' })
    await other.call('createInboxItem', { title: 'By a program' })
    const actor = await person.actor()
    const signedIn = { ...actor, credential: { ...actor.credential, kind: 'sign_in' as const } }
    await createInboxItem({ domain: world.domain }, signedIn, { title: 'By hand' })
    await person.call('revokeUserToken', { id: userToken.id })
    const { inboxItems } = await person.call('listInboxItems', {})
    expect(inboxItems.map(({ notedBy }) => notedBy)).toEqual([
      { source: 'web', tokenLabel: null },
      { source: 'api', tokenLabel: 'Claude' },
      { source: 'mcp', tokenLabel: 'Claude' },
    ])
    expect(item.notedBy).toEqual(inboxItems[2]?.notedBy)
  })

  test('is made once for one key', async ({ world }) => {
    const bob = await world.person('member')
    const key = { idempotencyKey: 'note-1' }
    const first = await bob.call('createInboxItem', { title: 'Once' }, key)
    expect(await bob.call('createInboxItem', { title: 'Once' }, key)).toEqual(first)
    expect((await bob.call('listInboxItems', {})).inboxItems).toHaveLength(1)
  })

  test('is beyond a token for one project, and beyond that of an agent’s objective', async ({
    world,
  }) => {
    const project = await world.projectWith()
    const bound = await world.bob.withToken({ preset: 'full', projectIds: [project.id] })
    await expect(bound.call('createInboxItem', { title: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.vera.call('createInboxItem', { title: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await world.vera.call('listInboxItems', {})).toEqual({ inboxItems: [], openCount: 0 })
  })
})
