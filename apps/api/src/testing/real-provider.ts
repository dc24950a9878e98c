import { createServer } from 'node:http'
import { listen } from '@svc/testing/listen'
import Provider, { type ClientMetadata } from 'oidc-provider'
import type { Browser } from './browser.ts'

export interface RealProvider extends AsyncDisposable {
  issuer: string
  serve: (client: ClientMetadata) => void
}

/** `oidc-provider` on a port of its own. Whoever signs in as `name` there has the verified address name@example.com. */
export async function openRealProvider(): Promise<RealProvider> {
  const server = createServer()
  const listening = await listen(server)
  const issuer = listening.url
  return {
    issuer,
    serve(client) {
      const provider = new Provider(issuer, {
        clients: [client],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
        cookies: { keys: ['a key of a test'] },
        findAccount: (_context, accountId) => ({
          accountId,
          claims: () => ({
            sub: accountId,
            email: `${accountId}@example.com`,
            email_verified: true,
            name: accountId,
          }),
        }),
      })
      const answer = provider.callback()
      server.on('request', (request, response) => void answer(request, response))
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Signs in there by its own pages, as far as the way back. */
export async function signInThere(browser: Browser, start: string, name: string): Promise<string> {
  let address = start
  for (let pages = 0; pages < 12; pages += 1) {
    const answer = await browser.get(address)
    const text = await answer.text()
    const location =
      answer.headers.get('location') ?? (await submit(browser, text, { name, address }))
    address = new URL(location, address).href
    if (address.includes('/callback?')) return address
  }
  throw new Error(`the provider does not lead back from ${address}`)
}

async function submit(
  browser: Browser,
  page: string,
  { name, address }: { name: string; address: string },
): Promise<string> {
  const action = /action="([^"]+)"/.exec(page)?.[1]
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
  if (action === undefined || prompt === undefined) throw new Error(`no form in ${page}`)
  const answer = await browser.send(new URL(action, address).href, {
    prompt,
    login: name,
    password: 'any',
  })
  return answer.headers.get('location') ?? ''
}
