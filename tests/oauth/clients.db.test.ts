import {
  Client as ModernClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'oauth4webapi'
import { describe, expect } from 'vitest'
import { type Place, answerConsent, callMcp, test } from './place.ts'

/** Registered like this; a program on a computer listens where there is room. */
const registered = 'http://localhost:3000/callback'
const listening = 'http://localhost:55123/callback'

/** What a browser of alice's does with the address that a client gives it; where that leads in the end. */
async function browse(place: Place, address: URL): Promise<URL> {
  const asked = await place.get(address.pathname + address.search)
  const page = new URL(asked.headers.get('location') ?? '', place.baseUrl)
  return answerConsent(place, page.searchParams.get('request') ?? '')
}

describe('a strict client', () => {
  test(
    'that knows the address of the endpoint alone comes to a token, works, and gives it back',
    { tags: 'large' },
    async ({ place }) => {
      const insecure = { [oauth.allowInsecureRequests]: true }
      const resource = new URL(place.resource)
      const described = await oauth.resourceDiscoveryRequest(resource, insecure)
      const { authorization_servers: [server = ''] = [] } =
        await oauth.processResourceDiscoveryResponse(resource, described)
      const issuer = new URL(server)
      const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(issuer, discovered)
      const metadata = { client_name: 'Strict', redirect_uris: [registered] }
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(as, metadata, insecure),
      )

      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const address = new URL(as.authorization_endpoint ?? '')
      address.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: listening,
        response_type: 'code',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: resource.href,
        state,
      }).toString()
      const led = await browse(place, address)
      const parameters = oauth.validateAuthResponse(as, client, led, state)
      const answered = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        parameters,
        listening,
        verifier,
        { additionalParameters: { resource: resource.href }, ...insecure },
      )
      const { access_token: token } = await oauth.processAuthorizationCodeResponse(
        as,
        client,
        answered,
      )

      expect((await callMcp(place, token)).status).toBe(200)
      const given = await oauth.revocationRequest(as, client, oauth.None(), token, insecure)
      await oauth.processRevocationResponse(given)
      expect((await callMcp(place, token)).status).toBe(401)
    },
  )
})

/** What an SDK's client keeps, and the address at which it wants a person. */
class Kept {
  readonly redirectUrl = listening
  readonly clientMetadata = { client_name: 'SDK', redirect_uris: [registered] }
  wanted: URL | undefined
  private client: unknown
  private given: unknown
  private verifier = ''
  private discovered: unknown

  clientInformation = () => this.client
  saveClientInformation = (client: unknown) => void (this.client = client)
  tokens = () => this.given
  saveTokens = (given: unknown) => void (this.given = given)
  redirectToAuthorization = (address: URL) => void (this.wanted = address)
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier)
  codeVerifier = () => this.verifier
  saveDiscoveryState = (discovered: unknown) => void (this.discovered = discovered)
  discoveryState = () => this.discovered
  invalidateCredentials = () => void (this.given = undefined)
}

interface Connection {
  connect: () => Promise<void>
  finish: (led: URL) => Promise<void>
  countTools: () => Promise<number>
  search: () => Promise<void>
}

const sdks: Record<string, (place: Place, kept: Kept) => Connection> = {
  'of 2025': ({ resource }, kept) => {
    const client = new LegacyClient({ name: 'test', version: '1' })
    // what is kept is for one SDK what it stored itself, of whatever type that is
    const authProvider = kept as unknown as OAuthClientProvider
    const transport = new LegacyTransport(new URL(resource), { authProvider } as never)
    return {
      connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
      finish: (led) => transport.finishAuth(led.searchParams.get('code') ?? ''),
      countTools: async () => (await client.listTools()).tools.length,
      search: async () => void (await client.callTool({ name: 'svc_search_missions' })),
    }
  },
  'of 2026': ({ resource }, kept) => {
    const client = new ModernClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    const authProvider = kept as unknown as OAuthClientProvider // as above
    const transport = new ModernTransport(new URL(resource), { authProvider })
    return {
      connect: () => client.connect(transport),
      finish: (led) => transport.finishAuth(led.searchParams),
      countTools: async () => (await client.listTools()).tools.length,
      search: async () => void (await client.callTool({ name: 'svc_search_missions' })),
    }
  },
}

describe.each(Object.entries(sdks))("an SDK's client %s", (_era, open) => {
  test('that is given the address of the endpoint alone lists the tools, until it is disconnected', async ({
    place,
  }) => {
    const kept = new Kept()
    const first = open(place, kept)
    await expect(first.connect()).rejects.toThrow(/unauthorized/i)
    await first.finish(await browse(place, kept.wanted ?? new URL('none:')))

    const { connect, countTools, search } = open(place, kept)
    await connect()
    expect(await countTools()).toBe(24)
    await search()

    const { access_token: token } = kept.tokens() as { access_token: string } // RFC 6749
    await place.postForm('/oauth/revoke', { token })
    kept.wanted = undefined
    await expect(search()).rejects.toThrow(/unauthorized/i)
    expect(kept.wanted).toBeInstanceOf(URL)
  })
})
