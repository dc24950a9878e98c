import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { beginFeedAnew } from '../../feed/begin-anew.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { type Hooked, test } from '../../testing/hooked-world.ts'
import { othersHaveEnded } from '../../testing/others-have-ended.ts'

type Answer = RouteOutput<'listWebhookEvents'>
type Wanted = Omit<RouteRequest<'listWebhookEvents'>, 'cursor'>

/** Everything from the cursor on. */
async function readOn(hooked: Hooked, cursor: string, wanted: Wanted = {}) {
  await othersHaveEnded(hooked)
  const { alice } = hooked
  const events: Answer['events'] = []
  for (;;) {
    const page: Answer = await alice.call('listWebhookEvents', { ...wanted, cursor })
    events.push(...page.events)
    cursor = page.cursor
    if (!page.isMore) return { events, cursor }
  }
}

async function beginningOf(hooked: Hooked): Promise<string> {
  await othersHaveEnded(hooked)
  const { alice } = hooked
  const { cursor, events } = await alice.call('listWebhookEvents', {})
  expect(events).toEqual([])
  return cursor
}

describe('whoever listens', () => {
  test(
    'reads each event once and in order, over pages, and nothing of before',
    { tags: 'large' },
    async ({ hooked }) => {
      await hooked.publish(2)
      const begun = await beginningOf(hooked)
      const ids = await hooked.publish(45)
      const { events, cursor } = await readOn(hooked, begun)
      expect(events.map(({ id }) => id)).toEqual(ids)
      expect((await readOn(hooked, cursor)).events).toEqual([])
      const [next] = await hooked.publish(1)
      expect((await readOn(hooked, cursor)).events).toMatchObject([{ id: next }])
    },
  )

  test.for(['thin', 'full'] as const)(
    'is given a %s payload as a webhook is sent it, whether one is there or not',
    async (payloadMode, { hooked }) => {
      const { receiver } = hooked
      const begun = await beginningOf(hooked)
      await hooked.subscribe({ payloadMode })
      await hooked.moveMission()
      const before = (await readOn(hooked, begun, { payloadMode })).events
      await hooked.deliverDue()
      const after = (await readOn(hooked, begun, { payloadMode })).events
      expect(after).toEqual(before)
      expect(after).toHaveLength(1)
      const [post] = receiver.posts
      const { id } = after[0] ?? { id: '' }
      expect(JSON.parse(after[0]?.body ?? '')).toEqual({ ...post?.body, id })
    },
  )

  test('reads the types and the project that were asked for', async ({ hooked }) => {
    const begun = await beginningOf(hooked)
    const { projectId } = await hooked.moveMission()
    await hooked.moveMission()
    await hooked.publish(1, { type: 'deploy:finished' })
    const ofProject = await readOn(hooked, begun, { projectId })
    expect(ofProject.events).toHaveLength(1)
    const ofType = await readOn(hooked, begun, { eventTypes: 'deploy:finished,mission.blocked' })
    expect(ofType.events.map(({ type }) => type)).toEqual(['deploy:finished'])
  })

  test('leaves the outbox as it is', async ({ hooked }) => {
    const begun = await beginningOf(hooked)
    await hooked.publish(3)
    const waiting = () =>
      sql`select id, fanned_out_at from webhook_events where fanned_out_at is null order by id`
        .execute(hooked.domain.db)
        .then(({ rows }) => rows)
    const before = await waiting()
    await readOn(hooked, begun)
    expect(await waiting()).toEqual(before)
  })

  test('is told that events are missing where the cursor is older than what is kept', async ({
    hooked,
  }) => {
    const begun = await beginningOf(hooked)
    await inTransaction({ domain: hooked.domain }, (tx) => beginFeedAnew(tx))
    const page = await hooked.alice.call('listWebhookEvents', { cursor: begun })
    expect(page).toMatchObject({ events: [], isReset: true })
  })

  test('needs the right to read webhooks', async ({ hooked }) => {
    const bob = await hooked.world.person('member')
    await expect(bob.call('listWebhookEvents', {})).rejects.toMatchObject({ code: 'forbidden' })
  })
})
