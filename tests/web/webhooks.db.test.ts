import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { isSignedWith, keepSecret, logRows, openNew, test } from './open-webhooks.ts'
import { expectForgotten } from './shown-once.ts'

const publicHost = 'https://93.184.216.34/hook'

describe('an admin', () => {
  test(
    verifies(
      ['subscription.settings-create', 'event.picker-built-in', 'event.picker-manual'],
      'makes a webhook of the events that the service lists, and of one that is written by hand',
    ),
    async ({ openApp, scene, hooked, goTo }) => {
      // one that is in use is no more known to the picker than any other
      await hooked.subscribe({ eventTypes: ['acme:used'] })
      const listed = await fetch(`${scene.baseUrl}/api/event-types`)
      // as the endpoint is described
      const { eventTypes } = (await listed.json()) as { eventTypes: { type: string }[] }
      const { page, misdeeds } = await openApp()
      await goTo(page, '/webhooks')
      const dialog = await openNew(page)
      const events = dialog.getByRole('group', { name: 'Events' })
      const offered = await events.getByRole('checkbox').count()
      expect(offered).toBe(eventTypes.length)
      for (const { type } of eventTypes) {
        await events.getByRole('checkbox', { name: type, exact: true }).waitFor()
      }
      await dialog.getByLabel('Name').fill('Orders')
      await dialog.getByLabel('Address').fill(hooked.receiver.url)
      await events.getByRole('checkbox', { name: 'mission.delivered' }).check()
      await dialog.getByLabel('Another event').pressSequentially('acme:')
      expect(await dialog.locator('datalist, [role="listbox"], [role="option"]').count()).toBe(0)
      expect(await dialog.innerText()).not.toContain('acme:used')
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByText('Write it as namespace:name').waitFor()
      await dialog.getByLabel('Another event').fill('acme:thing')
      await page.keyboard.press('Enter')
      expect(await events.getByRole('checkbox', { name: 'acme:thing' }).isChecked()).toBe(true)

      await dialog.getByRole('button', { name: 'Create' }).click()
      const secret = await keepSecret(page)
      await page.getByRole('heading', { name: 'Orders' }).waitFor()
      await page.getByText('mission.delivered, acme:thing').waitFor()
      await expectForgotten(page, secret)
      await page.getByText('mission.delivered, acme:thing').waitFor()
      const { webhooks } = await scene.world.alice.call('listWebhooks', {})
      expect(webhooks.find(({ name }) => name === 'Orders')).toMatchObject({
        endpointUrl: hooked.receiver.url,
        eventTypes: ['mission.delivered', 'acme:thing'],
        payloadMode: 'full',
      })
      await goTo(page, '/webhooks')
      await page.getByRole('link', { name: 'Orders' }).waitFor()
      expect(misdeeds).toEqual([])
    },
  )

  test(
    verifies(
      'subscription.internal-default-full',
      'is offered full payloads for a host that the operator has named, and for no other',
    ),
    async ({ openApp, goTo }) => {
      const { page } = await openApp()
      await goTo(page, '/webhooks')
      const dialog = await openNew(page)
      const payload = dialog.getByLabel('Payload')
      const address = dialog.getByLabel('Address')
      const answered = () => page.waitForResponse('**/api/webhooks/check-endpoint')
      const type = async (url: string) => {
        await Promise.all([answered(), address.fill(url)])
      }
      expect(await payload.inputValue()).toBe('thin')
      await type(publicHost)
      expect(await payload.inputValue()).toBe('thin')
      await type('http://127.0.0.1:4999/hook')
      await dialog.getByText('Whoever operates the service has named this host.').waitFor()
      expect(await payload.inputValue()).toBe('full')
      await type(`${publicHost}/other`)
      await expect.poll(() => payload.inputValue()).toBe('thin')
      await payload.selectOption('thin')
      await type('http://127.0.0.1:4998/hook')
      await dialog.getByText('Whoever operates the service has named this host.').waitFor()
      expect(await payload.inputValue()).toBe('thin')
    },
  )

  test(
    verifies(
      ['subscription.https', 'error.endpoint-private-address'],
      'is told why an address will not do as it is written, and saves none that is refused',
    ),
    async ({ openApp, scene, hooked, goTo }) => {
      const refusals = {
        'http://93.184.216.34/hook': 'The URL must start with https://.',
        'https://10.0.0.1/hook': 'The host is not in the public internet',
        'https://[::1]/hook': 'The host is not in the public internet',
        'https://127.0.0.2/hook': 'The host is not in the public internet',
      }
      const known = async () => (await scene.world.alice.call('listWebhooks', {})).webhooks
      const { page } = await openApp()
      await goTo(page, '/webhooks')
      const dialog = await openNew(page)
      await dialog.getByLabel('Name').fill('Orders')
      await dialog.getByRole('checkbox', { name: 'mission.delivered' }).check()
      const address = dialog.getByLabel('Address')
      for (const [url, why] of Object.entries(refusals)) {
        await address.fill(url)
        await dialog.getByRole('paragraph').getByText(why).waitFor()
        expect(await address.getAttribute('aria-invalid')).toBe('true')
        await dialog.getByRole('button', { name: 'Create' }).click()
        await dialog.getByRole('alert').getByText(why).waitFor()
        expect(await known()).toEqual([])
      }
      await address.fill(hooked.receiver.url)
      await dialog.getByRole('button', { name: 'Create' }).click()
      await keepSecret(page)

      for (const [url, why] of Object.entries(refusals)) {
        await page.getByRole('button', { name: 'Edit' }).click()
        const edit = page.getByRole('dialog', { name: 'Edit the webhook' })
        await edit.getByLabel('Address').fill(url)
        await edit.getByRole('button', { name: 'Save' }).click()
        await edit.getByRole('alert').getByText(why).waitFor()
        await edit.getByRole('button', { name: 'Discard' }).click()
      }
      expect(await known()).toMatchObject([{ endpointUrl: hooked.receiver.url, revision: 1 }])
    },
  )

  test(
    verifies(
      ['event.webhook-ping', 'event.ping-logged', 'subscription.rotation-shows-once'],
      'sends a test, reads in the log what came of it, and replaces the secret that it is signed with',
    ),
    async ({ openApp, scene, hooked, goTo }) => {
      const { receiver } = hooked
      const { id, secret: old } = await hooked.subscribe({ name: 'Orders' })
      const { page, misdeeds } = await openApp()
      await goTo(page, `/webhooks/${id}`)
      await page.getByText('Nothing was sent yet.').waitFor()
      await page.getByRole('button', { name: 'Send test delivery' }).click()
      const result = page.getByRole('region', { name: 'Test delivery' })
      await result.getByText('status 200').waitFor()
      await result.getByText('noted').waitFor()
      await logRows(page).filter({ hasText: 'webhook.ping' }).getByText('delivered').waitFor()
      const [first] = receiver.posts
      expect(first?.body.type).toBe('webhook.ping')
      expect(first && isSignedWith(old, first)).toBe(true)

      await page.getByRole('button', { name: 'Replace the secret' }).click()
      await page.getByRole('button', { name: 'Replace it' }).click()
      const secret = await keepSecret(page)
      expect(secret).not.toBe(old)
      await expectForgotten(page, secret)
      receiver.answer(500)
      await logRows(page).first().waitFor()
      await page.keyboard.press('t')
      await result.getByText('status 500').waitFor()
      await logRows(page).filter({ hasText: 'failed' }).waitFor()
      const last = receiver.posts.at(-1)
      expect(last && isSignedWith(secret, last)).toBe(true)
      expect(last && isSignedWith(old, last)).toBe(false)

      await logRows(page).filter({ hasText: 'failed' }).getByRole('link').click()
      await page.getByRole('heading', { name: 'webhook.ping' }).waitFor()
      await page.getByText('That of a test is not kept.').or(page.getByText('Its body')).waitFor()
      await page.getByRole('list', { name: 'Tries' }).getByText('status 500').waitFor()
      const { deliveries } = await scene.world.alice.call('listWebhookDeliveries', { id })
      expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered'])
      expect(page.url()).toContain(`/webhooks/${id}/${deliveries[0]?.id}`)
      expect(misdeeds).toEqual([])
    },
  )

  test(
    verifies(
      ['webhook.auto-disable-notice', 'webhook.manual-enable'],
      'is led to the log of a webhook that failures have disabled, and enables it by hand',
    ),
    async ({ openApp, scene, hooked, goTo }) => {
      const { alice } = scene.world
      const { deliverDue, publish, receiver } = hooked
      const { id } = await hooked.subscribe({ name: 'Orders' })
      receiver.answer(500)
      await publish(20)
      await deliverDue()
      for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
        await scene.world.advance(delay)
        await deliverDue()
      }
      receiver.answer(200)
      await publish(2)
      await deliverDue()
      const sent = receiver.posts.length
      const link = (await hooked.notices({ id })).at(-1)?.link ?? ''
      const { page, misdeeds } = await openApp()
      await page.goto(link)
      await page.getByRole('heading', { name: 'Orders' }).waitFor()
      await page.getByText('Too many deliveries failed, one after the other.').waitFor()
      await page.getByText('2 deliveries are held').waitFor()
      await logRows(page).filter({ hasText: 'failed' }).first().waitFor()
      expect(await logRows(page).filter({ hasText: 'failed' }).count()).toBe(20)
      expect(receiver.posts).toHaveLength(sent)

      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByText('Too many deliveries failed').waitFor({ state: 'detached' })
      expect((await alice.call('getWebhook', { id })).webhook.disabledReason).toBeNull()
      await publish(1)
      await deliverDue()
      expect(receiver.posts).toHaveLength(sent + 1)

      await page.getByRole('button', { name: 'Send them' }).click()
      await page.getByText('are held').waitFor({ state: 'detached' })
      await deliverDue()
      expect(receiver.posts).toHaveLength(sent + 3)
      await page.keyboard.press('r')
      await expect.poll(() => logRows(page).filter({ hasText: 'delivered' }).count()).toBe(3)

      // what others do shows by itself
      await hooked.alice.call('disableWebhook', { id })
      await page.getByText('An admin disabled it.').waitFor()
      await hooked.alice.call('enableWebhook', { id })
      await page.getByText('An admin disabled it.').waitFor({ state: 'detached' })

      await page.getByLabel('State').selectOption('failed')
      await logRows(page).filter({ hasText: 'delivered' }).first().waitFor({ state: 'detached' })
      await logRows(page).getByRole('link').first().click()
      await page.getByRole('heading', { name: '7 tries' }).waitFor()
      await page.keyboard.press('s')
      await expect.poll(() => page.getByText('is sent again').count()).toBeGreaterThan(0)
      await deliverDue()
      await page.keyboard.press('r')
      await page.getByRole('heading', { name: '8 tries' }).waitFor()
      await page.getByRole('list', { name: 'Tries' }).getByText('A person had it sent').waitFor()
      await page.getByText('Its body').click()
      await page.getByText('"mission.status_changed"').first().waitFor()
      await goTo(page, `/webhooks/${id}?state=failed`)
      await expect.poll(() => logRows(page).count()).toBe(19)
      expect(misdeeds).toEqual([])
    },
  )
})

test(
  verifies(
    ['subscription.admins-manage', 'subscription.settings-create'],
    'whoever is no admin is offered no webhook, and shown none',
  ),
  async ({ windowOf, scene, hooked, goTo }) => {
    const { id } = await hooked.subscribe({ name: 'Orders' })
    for (const person of [scene.world.bob, scene.world.vera]) {
      const { page } = await windowOf(person)
      const changes: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') changes.push(request.url())
      })
      await goTo(page, '/')
      expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
      for (const path of ['/webhooks', `/webhooks/${id}`]) {
        await goTo(page, path)
        await page.getByRole('alert').getByText('webhook:read').waitFor()
        for (const key of ['c', 't', 'e', 's']) await page.keyboard.press(key)
        expect(await page.getByRole('dialog').count()).toBe(0)
        expect(await page.locator('main').getByRole('button').count()).toBe(0)
        expect(await page.getByText('Orders').count()).toBe(0)
      }
      expect(changes).toEqual([])
    }
    expect((await scene.world.alice.call('getWebhook', { id })).webhook.revision).toBe(1)
  },
)
