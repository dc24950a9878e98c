import { ledTo } from '@svc/testing/led-to'
import { expect } from 'vitest'
import type { Browser } from './browser.ts'
import type { OpenIdPlace } from './openid-place.ts'
import type { Made } from './token-maker.ts'

/** What is asked of the provider. */
export async function leave(browser: Browser, name = 'made', fields?: Record<string, string>) {
  const path = `/openid/${name}`
  const answer = await (fields ? browser.send(path, fields) : browser.get(path))
  expect(answer.status).toBe(fields ? 200 : 303)
  return new URL((await ledTo(answer)) ?? '')
}

export interface ProviderReply extends Omit<Made, 'claims'> {
  claims?: Record<string, unknown>
  /** Parameters of the address that the browser comes back to. */
  query?: Record<string, string>
}

/** Comes back from the provider with what it says of the person. */
export async function comeBack(
  { maker }: OpenIdPlace,
  browser: Browser,
  asked: URL,
  reply: ProviderReply = {},
) {
  const { searchParams: sent } = asked
  const now = Math.floor(Date.now() / 1000)
  const { claims, query, ...made } = reply
  maker.next({
    ...made,
    claims: {
      iss: maker.issuer,
      aud: 'svc',
      nonce: sent.get('nonce'),
      iat: now,
      exp: now + 60,
      sub: 'mallory',
      email: 'mallory@example.com',
      email_verified: true,
      ...claims,
    },
  })
  const back = { code: 'any', state: sent.get('state') ?? '', iss: maker.issuer, ...query }
  return browser.get(`/openid/made/callback?${new URLSearchParams(back).toString()}`)
}
