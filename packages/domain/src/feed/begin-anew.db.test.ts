import { sql } from 'kysely'
import { expect } from 'vitest'
import { inTransaction } from '../commit/transaction.ts'
import { routeHandlers } from '../handlers/routes.ts'
import { followFeed } from '../testing/follow-feed.ts'
import { test } from '../testing/world.ts'
import { beginFeedAnew } from './begin-anew.ts'

test('whoever comes with a cursor of before starts anew, also once this server has come as far', async ({
  world,
}) => {
  const { domain, alice } = world
  const feed = await followFeed(world, alice, { cursor: null })
  const [xid = ''] = feed.start.id.split('.')
  await feed.close()
  // as far as a server came that was then put back to before it
  const lost = `${BigInt(xid) + 20n}.0.${BigInt(xid) + 19n}`
  await inTransaction(world, beginFeedAnew)
  const isPassed = async () => {
    const { rows } = await sql<{ passed: boolean }>`
      select pg_current_xact_id() > ${lost.split('.')[0]}::xid8
             -- no transaction of a test beside this one is open from before
         and pg_snapshot_xmin(pg_current_snapshot()) > ${lost.split('.')[0]}::xid8 as passed`.execute(
      domain.db,
    )
    return rows[0]?.passed === true
  }
  while (!(await isPassed())) continue

  const resumed = await followFeed(world, alice, { cursor: lost })
  const [reset] = await resumed.take(1)
  expect(reset).toMatchObject({ event: 'reset', data: { reason: 'cursor_too_old' } })
  await resumed.close()
  const actor = await alice.actor()
  const listed = await routeHandlers.listWebhookEvents({ domain }, actor, {
    cursor: lost,
    payloadMode: 'thin',
  })
  expect(listed.isReset).toBe(true)

  // what it was given then is good
  const again = await followFeed(world, alice, { cursor: reset?.id ?? '' })
  await world.missionWith([])
  expect(await again.take(1)).toMatchObject([{ event: 'change' }])
  await again.close()
  const next = await routeHandlers.listWebhookEvents({ domain }, actor, {
    cursor: listed.cursor,
    payloadMode: 'thin',
  })
  expect(next.isReset).toBe(false)
})
