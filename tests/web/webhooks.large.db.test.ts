import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { keepSecret, logRows, openNew, test } from './open-webhooks.ts'
import { expectLive } from './scene.ts'

const createPath = '**/api/webhooks'

/** Everything that has to be there before it is made. */
async function fillIn(page: Page, url: string) {
  const dialog = await openNew(page)
  await dialog.getByLabel('Name').fill('Orders')
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByRole('checkbox', { name: 'mission.delivered' }).check()
  return dialog
}

describe('what is written of a webhook is kept', () => {
  test('over a reload, and sent once however often it is sent again', async ({
    openApp,
    scene,
    hooked,
    goTo,
  }) => {
    const { page } = await openApp()
    await goTo(page, '/webhooks')
    await fillIn(page, hooked.receiver.url)
    await page.getByLabel('Another event').fill('acme:half')
    await page.reload()
    await expectLive(page)
    const dialog = await openNew(page)
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Orders')
    expect(await dialog.getByLabel('Another event').inputValue()).toBe('acme:half')
    expect(await dialog.getByRole('checkbox', { name: 'mission.delivered' }).isChecked()).toBe(true)

    // the service does it, and its answer never comes
    await page.route(createPath, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Create' }).click()
    const again = dialog.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    await page.unroute(createPath)
    await again.click()
    await keepSecret(page)
    const { webhooks } = await scene.world.alice.call('listWebhooks', {})
    expect(webhooks).toMatchObject([{ eventTypes: ['mission.delivered', 'acme:half'] }])
  })

  test('next to what somebody else has changed meanwhile', async ({
    openApp,
    scene,
    hooked,
    goTo,
  }) => {
    const { alice } = hooked
    const { id, revision } = await hooked.subscribe({ name: 'Orders' })
    const read = async () => (await alice.call('getWebhook', { id })).webhook
    const { page } = await openApp()
    await goTo(page, `/webhooks/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' })
    await dialog.getByLabel('Name').fill('Shop orders')
    // what concerns another part goes under what is written here
    await scene.world.alice.call('disableWebhook', { id })
    await page.getByText('An admin disabled it.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(read).toMatchObject({ name: 'Shop orders', disabledReason: 'manual' })

    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Name').fill('My orders')
    const expectedRevision = revision + 2
    await alice.call('updateWebhook', { id, expectedRevision, name: 'Their orders' })
    const conflict = dialog.getByRole('region', { name: 'Changed by somebody else' })
    await conflict.getByText('Theirs: Their').waitFor()
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(read).toMatchObject({ name: 'My orders' })
  })
})

test('a log is read in pages, and goes on by itself while somebody looks at its newest', async ({
  openApp,
  hooked,
  goTo,
}) => {
  const { alice, deliverDue, moveMission, publish, subscribe } = hooked
  const { id } = await subscribe({ name: 'Orders' })
  await publish(60)
  await deliverDue()
  const { page, misdeeds } = await openApp()
  await goTo(page, `/webhooks/${id}`)
  await expect.poll(() => logRows(page).count()).toBe(50)
  let moved = 0
  // it is read once, some seconds after what happens: a delivery that took longer is shown after the next
  await expect
    .poll(async () => {
      await moveMission()
      await deliverDue()
      moved += 1
      const { deliveries } = await alice.call('listWebhookDeliveries', { id, limit: 1 })
      const newest = page.locator(`[data-delivery="${deliveries[0]?.id}"]`)
      return newest.waitFor({ timeout: 10_000 }).then(
        () => 'shown',
        () => 'not shown',
      )
    })
    .toBe('shown')
  await page.getByRole('button', { name: 'Show older ones' }).click()
  await expect.poll(() => logRows(page).count()).toBe(60 + moved)
  await page.getByLabel('Event', { exact: true }).selectOption('webhook.ping')
  await page.getByText('No delivery is like that.').waitFor()
  expect(page.url()).toContain('type=webhook.ping')
  expect(misdeeds).toEqual([])
})

test('what is sent again shows by itself what came of it', async ({ openApp, hooked, goTo }) => {
  const { deliverDue, publish, receiver, subscribe } = hooked
  const { id } = await subscribe({ name: 'Orders' })
  await publish(1)
  await deliverDue()
  const { page } = await openApp()
  await goTo(page, `/webhooks/${id}`)
  await logRows(page).getByText('1 try,').waitFor()
  receiver.answer(502)
  await logRows(page).getByRole('button', { name: 'Send again: mission.status_changed' }).click()
  await logRows(page).getByText('waits').waitFor()
  await deliverDue()
  // what comes of sending it again is no failure of the webhook
  await logRows(page).getByText('delivered').waitFor()
  expect(receiver.posts).toHaveLength(2)
})

test('what waits for its retry is sent now by whoever has no patience, from its log and its page', async ({
  openApp,
  hooked,
  goTo,
}) => {
  const { deliverDue, publish, receiver, subscribe } = hooked
  const { id } = await subscribe({ name: 'Orders' })
  receiver.answer(502)
  await publish(1)
  await deliverDue()
  const { page, misdeeds } = await openApp()
  await goTo(page, `/webhooks/${id}`)
  await logRows(page).getByText('Its next try is due in').waitFor()
  const now = logRows(page).getByRole('button', { name: 'Send now: mission.status_changed' })
  await now.click()
  await now.waitFor({ state: 'detached' })
  await deliverDue()
  await page.getByRole('button', { name: 'Read it again' }).click()
  await logRows(page).getByText('2 tries,').waitFor()
  expect(receiver.posts).toHaveLength(2)
  receiver.answer(200)
  await logRows(page).getByRole('link').click()
  const again = page.getByRole('button', { name: 'Send it now' })
  await again.click()
  await again.waitFor({ state: 'detached' })
  await deliverDue()
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: '3 tries' }).waitFor()
  await page.getByText('Its receiver has taken it.').first().waitFor()
  expect(misdeeds).toEqual([])
})

test('a webhook is deleted after it was said what goes with it, also under an open page', async ({
  openApp,
  hooked,
  goTo,
}) => {
  const { alice, subscribe } = hooked
  const [one, other] = [await subscribe({ name: 'One' }), await subscribe({ name: 'Other' })]
  const { page } = await openApp()
  await goTo(page, `/webhooks/${one.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('cannot be restored').waitFor()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  const list = page.getByRole('list', { name: 'Webhooks' })
  await list.getByText('One').waitFor({ state: 'detached' })
  await list.getByRole('link', { name: 'Other' }).click()
  await page.getByRole('heading', { name: 'Other' }).waitFor()
  await alice.call('deleteWebhook', { id: other.id })
  await page.getByText('This is not here, or not yours.').waitFor()
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
})
