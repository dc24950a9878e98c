import { createHash } from 'node:crypto'
import type { OpenIdProvider } from '@svc/contracts/openid-provider'
import { isStorable } from '@svc/contracts/storable-text'
import { createGuardedFetch } from '@svc/outbound/guarded-fetch'
import { createPolicy } from '@svc/outbound/policy'
import * as oauth from 'oauth4webapi'

/** Who somebody is at a provider, which has signed it. */
export interface OpenIdClaims {
  issuer: string
  subject: string
  email: string | undefined
  emailIsVerified: boolean
  name: string | undefined
}

export interface OpenIdClient {
  provider: OpenIdProvider
  /** Where to send a browser that keeps `secret`, of which state, nonce and verifier are made. */
  addressOf: (flow: Flow) => Promise<URL>
  /** Who came back; throws where anything of it is wrong. */
  claimsOf: (flow: Flow, answer: URLSearchParams) => Promise<OpenIdClaims>
}

export interface Flow {
  secret: string
  redirectUri: string
}

export interface OpenIdSettings {
  providers: readonly OpenIdProvider[]
  /** Hosts that are not public and may be asked. */
  allowedHosts: readonly string[]
}

const discoveryMs = 3_600_000
/** OpenID Connect Core, 2 */
const longestSubject = 255

export function openIdClients({ providers, allowedHosts }: OpenIdSettings): OpenIdClient[] {
  const fetch = createGuardedFetch({
    policy: createPolicy({ allowedHosts: allowedHosts.join(',') }),
  })
  return providers.map((provider) => clientOf(provider, fetch))
}

function clientOf(
  provider: OpenIdProvider,
  fetch: ReturnType<typeof createGuardedFetch>,
): OpenIdClient {
  const client: oauth.Client = { client_id: provider.client, [oauth.clockTolerance]: 30 }
  const options = {
    [oauth.customFetch]: fetch,
    // what is public is asked by https alone all the same: the guarded fetch sees to it
    [oauth.allowInsecureRequests]: true,
  }
  const discover = remembered(discoveryMs, async () => {
    const issuer = new URL(provider.issuer)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options })
    return oauth.processDiscoveryResponse(issuer, response)
  })
  return {
    provider,
    async addressOf({ secret, redirectUri }) {
      const { authorization_endpoint: endpoint } = await discover()
      if (endpoint === undefined) throw new Error('the provider names no authorization endpoint')
      const url = new URL(endpoint)
      const isKept = url.protocol === 'https:' || url.protocol === new URL(provider.issuer).protocol
      if (!isKept) throw new Error('the authorization endpoint of the provider is not https')
      const challenge = await oauth.calculatePKCECodeChallenge(derive(secret, 'verifier'))
      const parameters = {
        response_type: 'code',
        client_id: provider.client,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: derive(secret, 'state'),
        nonce: derive(secret, 'nonce'),
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url
    },
    async claimsOf({ secret, redirectUri }, answer) {
      const server = await discover()
      const state = derive(secret, 'state')
      const parameters = oauth.validateAuthResponse(server, client, answer, state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticationAt(server, provider.secret),
        parameters,
        redirectUri,
        derive(secret, 'verifier'),
        options,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: derive(secret, 'nonce'),
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(server, response, options)
      const signed = oauth.getValidatedIdTokenClaims(tokens)
      if (!signed) throw new Error('the provider sent no identity')
      const { email, email_verified, ...rest } = signed
      // whether an address is verified stands next to it, and is said of no other
      const address =
        email === undefined
          ? await askMore(server, client, { tokens, subject: signed.sub, options })
          : { email, email_verified }
      return readClaims(provider.issuer, { ...address, ...rest })
    },
  }
}

interface Asking {
  tokens: oauth.TokenEndpointResponse
  subject: string
  options: oauth.UserInfoRequestOptions
}

/** Some providers give the address next to the token, and not in it. */
async function askMore(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  { tokens, subject, options }: Asking,
): Promise<Record<string, unknown>> {
  if (server.userinfo_endpoint === undefined) return {}
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return oauth.processUserInfoResponse(server, client, subject, response)
}

function readClaims(issuer: string, claims: Record<string, unknown>): OpenIdClaims {
  const textOf = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined
  }
  const subject = textOf('sub')
  if (subject === undefined || subject.length > longestSubject) {
    throw new Error('the provider named no subject, or none that can be kept')
  }
  return {
    issuer,
    subject,
    email: textOf('email'),
    emailIsVerified: claims['email_verified'] === true,
    name: textOf('name'),
  }
}

function authenticationAt(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

/** Each of these reveals nothing of the secret, nor of the others. */
function derive(secret: string, purpose: 'state' | 'nonce' | 'verifier'): string {
  return createHash('sha256').update(`${purpose} ${secret}`).digest('base64url')
}

/** What failed is tried again by the next who asks. */
function remembered<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let known: { made: Promise<T>; until: number } | undefined
  return () => {
    if (known && known.until > performance.now()) return known.made
    const made = make()
    const current = { made, until: performance.now() + ms }
    known = current
    made.catch(() => {
      if (known === current) known = undefined
    })
    return made
  }
}
