import { purgeExpired } from './purge-expired.ts'
import { expect } from 'vitest'
import { test } from '../testing/hooked-world.ts'

test('after thirty days attempts, bodies and events are purged, and the log keeps its lines', async ({
  hooked,
  world,
}) => {
  const { alice, deliverDue, domain, log, publish, subscribe } = hooked
  const [sent, held] = [await subscribe(), await subscribe()]
  await alice.call('disableWebhook', held)
  await publish(1)
  await deliverDue()
  await alice.call('disableWebhook', sent)
  const [heldEvent] = await publish(1)
  await deliverDue()
  const bodies = () => domain.db.selectFrom('webhook_bodies').select('event_id').execute()

  await world.advance(29 * 86_400)
  await purgeExpired(domain, 'by the dispatcher')
  expect((await log(sent))[0]?.tries).toHaveLength(1)
  expect(await bodies()).toHaveLength(2)

  await domain.db
    .updateTable('webhook_deliveries')
    .set({ state: 'canceled' })
    .where('subscription_id', '=', held.id)
    .execute()
  await world.advance(2 * 86_400)
  await purgeExpired(domain, 'by the dispatcher')
  expect((await log(sent))[0]).toMatchObject({ state: 'delivered', tries: [] })
  // what is held for somebody keeps its body
  expect(await bodies()).toEqual([{ event_id: heldEvent }])
  expect(await domain.db.selectFrom('webhook_events').select('id').execute()).toEqual([])
})
