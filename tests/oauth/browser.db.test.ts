import { verifies } from '@svc/testing/verifies'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Flow, type Place, exchange, registerClient, startFlow } from './place.ts'
import { openSecureClient } from './secure-client.ts'
import { test, allow } from './let-in.ts'

async function signIn(page: Page, { world, baseUrl, browserOf }: Place): Promise<void> {
  const { cookie = '' } = await browserOf(world.alice)
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: baseUrl, sameSite: 'Lax', httpOnly: true }])
}

/** A client that has the answer sent there. */
async function startFlowTo(place: Place, redirectUri: string): Promise<Flow> {
  const { client_id } = await registerClient(place, { redirect_uris: [redirectUri] })
  const flow = await startFlow(place, { client_id, redirect_uri: redirectUri })
  return { ...flow, clientId: client_id, redirectUri }
}

function addressOf({ baseUrl }: Place, { asked }: Flow): string {
  return `${baseUrl}/oauth/authorize?${new URLSearchParams(asked).toString()}`
}

/** The address that an application is handed. No page comes of it: to the browser it is a request that fails. */
async function handedOver(page: Page, isMeant: (address: string) => boolean): Promise<string> {
  return (await page.waitForEvent('requestfailed', (request) => isMeant(request.url()))).url()
}

async function statusOf(place: Place, flow: Flow, led: string): Promise<number> {
  const { status } = await exchange(place, flow, new URL(led).searchParams.get('code') ?? '')
  return status
}

describe('the answer of a person, in a real browser,', () => {
  test(
    'arrives at a site, in the window that it has opened, and says nothing of where it comes from',
    { tags: 'large' },
    async ({ place, page }) => {
      await using client = await openSecureClient()
      const flow = await startFlowTo(place, `${client.origin}/callback`)
      await signIn(page, place)
      await page.goto(client.origin)
      const opening = page.waitForEvent('popup')
      await page.evaluate(`void open(${JSON.stringify(addressOf(place, flow))})`)
      const asking = await opening
      await allow(asking).click()
      await asking.waitForURL(`${client.origin}/callback?*`)
      // nothing that it went through has cut it off
      expect(await asking.evaluate('opener !== null')).toBe(true)
      const { url, headers } = client.requests.at(-1) ?? {}
      expect(asking.url()).toBe(client.origin + url)
      expect(headers).not.toHaveProperty('referer')
      expect(await statusOf(place, flow, asking.url())).toBe(200)
    },
  )

  test(
    verifies(
      ['oauth.authorize-redirect', 'oauth.approve-page'],
      'is given at the page that the authorization leads to',
    ),
    async ({ place, page }) => {
      await using client = await openSecureClient()
      const flow = await startFlowTo(place, `${client.origin}/callback`)
      await signIn(page, place)
      await page.goto(addressOf(place, flow))
      expect(page.url()).toMatch(`${place.baseUrl}/oauth/approve?`)
      await allow(page).click()
      await page.waitForURL(`${client.origin}/callback?code=*`)
      expect(await statusOf(place, flow, page.url())).toBe(200)
    },
  )

  test(
    verifies(
      'error.invalid-target',
      'is not asked for where the access is to another place, and the client is told so',
    ),
    async ({ place, page }) => {
      await using client = await openSecureClient()
      const flow = await startFlowTo(place, `${client.origin}/callback`)
      await signIn(page, place)
      const asked = { ...flow.asked, resource: 'https://elsewhere.example/mcp' }
      await page.goto(addressOf(place, { ...flow, asked }))
      await page.getByRole('link', { name: /^go back to / }).click()
      await page.waitForURL(`${client.origin}/callback?error=invalid_target&*`)
      expect(page.url()).not.toContain('code=')
    },
  )

  test('is handed to the application that has claimed a scheme', async ({ place, page }) => {
    const flow = await startFlowTo(place, 'com.example.app:/callback')
    await signIn(page, place)
    await page.goto(addressOf(place, flow))
    const handed = handedOver(page, (it) => it.startsWith('com.example.app:/callback?'))
    await allow(page).click()
    const address = await handed
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()
    const again = handedOver(page, (it) => it === address)
    await page.getByRole('link', { name: 'Go back to Agent' }).click()
    await again
    expect(await statusOf(place, flow, address)).toBe(200)
  })

  test('arrives when it is no, too', { tags: 'large' }, async ({ place, page }) => {
    await using client = await openSecureClient()
    await signIn(page, place)
    await page.goto(addressOf(place, await startFlowTo(place, `${client.origin}/callback`)))
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${client.origin}/callback?error=access_denied&*`)
  })

  test(
    'arrives at the very address that was registered, whatever is in it',
    { tags: 'large' },
    async ({ place, page }) => {
      await using client = await openSecureClient()
      await signIn(page, place)
      for (const path of [
        "/it's,one;url='/two'&lt;three?a=%22%3C&amp;b;c,d",
        '/;url=https://elsewhere.example/?&quot;%0A%20%3E',
        '?0;url=data:,&apos;&url=',
      ]) {
        const flow = await startFlowTo(place, client.origin + path)
        await page.goto(addressOf(place, flow))
        await allow(page).click()
        await page.waitForURL((url) => url.origin === client.origin)
        const { url = '' } = client.requests.at(-1) ?? {}
        expect(new URL(url, client.origin).href).toContain(
          `${new URL(flow.redirectUri).href}&code=`,
        )
        expect(await statusOf(place, flow, page.url())).toBe(200)
      }
    },
  )

  test(
    'arrives where the site of the client sends it on to, at another origin and at an application',
    { tags: 'large' },
    async ({ place, page }) => {
      await using another = await openSecureClient()
      await signIn(page, place)
      const site = `${another.origin}/desktop`
      const application = 'com.example.app:/desktop'
      for (const [end, arrived] of [
        // it has ended before the next one begins, as a request that was only seen has not
        [site, () => page.waitForURL(site)],
        [application, () => handedOver(page, (address) => address === application)],
      ] as const) {
        await using client = await openSecureClient(end)
        await page.goto(addressOf(place, await startFlowTo(place, `${client.origin}/callback`)))
        await Promise.all([arrived(), allow(page).click()])
      }
      expect(another.requests.map(({ url }) => url)).toEqual(['/desktop'])
    },
  )

  test(
    'goes nowhere else, whatever has been made of the page',
    { tags: 'large' },
    async ({ place, page }) => {
      await using client = await openSecureClient()
      await using another = await openSecureClient()
      await signIn(page, place)
      for (const redirectUri of [`${client.origin}/callback`, 'com.example.app:/callback']) {
        await page.goto(addressOf(place, await startFlowTo(place, redirectUri)))
        await page.evaluate(`document.forms[0].action = '${another.origin}'`)
        const refused = page.waitForEvent('console', (message) =>
          message.text().includes('violates the following Content Security Policy'),
        )
        await allow(page).click({ noWaitAfter: true })
        expect((await refused).text()).toContain(`Sending form data to '${another.origin}/'`)
      }
      expect([...client.requests, ...another.requests]).toEqual([])
    },
  )
})
