import { inTransaction } from '@svc/domain/commit/transaction'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { notifyAdmins } from './notify-admins.ts'

async function createNotice({ domain, workspaceId }: World, key: string): Promise<void> {
  const next = { operation: 'listNotifications', params: {} } as const
  const notice = { kind: 'test', key, title: key, page: '/runners', next }
  await inTransaction({ domain }, (tx) => notifyAdmins(tx, workspaceId, notice))
}

describe('a notification', () => {
  test('is listed to whom it is addressed, the newest first, page by page, until it is read', async ({
    world,
  }) => {
    const anna = await world.person('admin')
    for (const key of ['first', 'second', 'third']) await createNotice(world, key)
    const listed = async (query: object) => {
      const { notifications, nextCursor } = await anna.call('listNotifications', query)
      return [notifications.map(({ title }) => title), nextCursor]
    }
    const { notifications } = await anna.call('listNotifications', {})
    const [third, second] = notifications
    expect(third).toMatchObject({
      kind: 'test',
      title: 'third',
      link: '/w/here/runners',
      readAt: null,
    })

    expect(await listed({ limit: 2 })).toEqual([['third', 'second'], second?.id])
    expect(await listed({ limit: 2, cursor: second?.id })).toEqual([['first'], undefined])
    const ids = [third?.id ?? '']
    expect(await anna.call('readNotifications', { notificationIds: ids })).toEqual({ read: 1 })
    expect(await anna.call('readNotifications', { notificationIds: ids })).toEqual({ read: 0 })
    expect(await listed({ state: 'unread' })).toEqual([['second', 'first'], undefined])
    expect(await anna.call('readNotifications', {})).toEqual({ read: 2 })
    expect(await listed({ state: 'unread' })).toEqual([[], undefined])
    expect(await listed({})).toEqual([['third', 'second', 'first'], undefined])
  })

  test('is told twice to nobody', async ({ world }) => {
    const anna = await world.person('admin')
    await createNotice(world, 'same')
    await createNotice(world, 'same')
    expect((await anna.call('listNotifications', {})).notifications).toHaveLength(1)
  })

  test('that becomes read at this moment is not waited for by whoever reads the others', async ({
    world,
  }) => {
    const anna = await world.person('admin')
    await createNotice(world, 'about to go')
    await createNotice(world, 'left')
    const { notifications } = await anna.call('listNotifications', {})
    const id = notifications.find(({ title }) => title === 'about to go')?.id
    await world.domain.db.transaction().execute(async (tx) => {
      await sql`update notifications set read_at = app.now() where id = ${id}`.execute(tx)
      expect(await anna.call('readNotifications', {})).toEqual({ read: 1 })
    })
    expect(await anna.call('listNotifications', { state: 'unread' })).toEqual({ notifications: [] })
  })

  test('of another person is neither listed nor read, and those named beside it are left alone', async ({
    world,
  }) => {
    const [anna, otto] = [await world.person('admin'), await world.person('owner')]
    await createNotice(world, 'to both')
    const [hers, his] = await Promise.all(
      [anna, otto].map(async (one) => (await one.call('listNotifications', {})).notifications[0]),
    )
    expect(hers?.id).not.toBe(his?.id)
    const written = await world.rowsWrittenBy(() =>
      otto.call('readNotifications', { notificationIds: [his?.id ?? '', hers?.id ?? ''] }),
    )
    expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
    await otto.call('readNotifications', {})
    expect((await anna.call('listNotifications', { state: 'unread' })).notifications).toEqual([
      hers,
    ])
    expect(await world.bob.call('listNotifications', {})).toEqual({ notifications: [] })
    const bound = await anna.withPreset('mission_lifecycle')
    await expect(bound.call('listNotifications', {})).rejects.toMatchObject({ code: 'forbidden' })
  })
})
