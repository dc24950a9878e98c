import { createHash, randomBytes } from 'node:crypto'
import { serveApi } from '@svc/api/testing/serve-api'
import { GatewayEnvironment } from '@svc/mcp-gateway/env'
import { openGateway } from '@svc/mcp-gateway/server'
import { createLog } from '@svc/process/log'
import { highLimits } from '@svc/testing/high-limits'
import { ledTo } from '@svc/testing/led-to'
import type { Person } from '@svc/domain/testing/people'
import { signedIn } from '@svc/domain/testing/signed-in'
import { secretKeys } from '@svc/domain/testing/open-process'
import { type World, test as base } from '@svc/domain/testing/world'
import { serveBoth } from '../serve-all.ts'
import { alternate } from './alternate.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** Two processes of the service on one origin, each asked in its turn; with people who have browsers. */
export interface Place {
  world: World
  baseUrl: string
  resource: string
  get: (path: string, headers?: Record<string, string>) => Promise<Response>
  /** From a network that nobody else comes from, or is next to. */
  postJson: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
  postForm: (path: string, fields: Fields, headers?: Record<string, string>) => Promise<Response>
  browserOf: (person: Person) => Promise<Record<string, string>>
}

export type Fields = Record<string, string> | [name: string, value: string][]

export const test = base.extend(
  'place',
  { scope: 'file' },
  async ({ world, database }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const databaseUrl = database.connectionString
    const proxy = opened.use(await alternate())
    for (const _ of ['one', 'another']) {
      const variables = { ...settings, SVC_BASE_URL: proxy.url }
      proxy.ports.push(opened.use(await serveBoth(databaseUrl, variables)).port)
    }
    return { ...placeAt(world, proxy.url), databaseUrl }
  },
)

const settings = {
  SVC_MCP_ENABLED: 'true',
  SVC_TRUSTED_PROXIES: '127.0.0.1',
  ...highLimits,
}

/** An API and a gateway of their own, as processes have them with this word for the endpoint. */
export async function openParts(databaseUrl: string, enabled: string | undefined) {
  await using opened = new AsyncDisposableStack()
  const proxy = opened.use(await alternate())
  const given = { ...settings, SVC_BASE_URL: proxy.url, SVC_MCP_ENABLED: enabled }
  const api = opened.use(await serveApi(databaseUrl, given))
  const environment = GatewayEnvironment.parse({
    DATABASE_URL: databaseUrl,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: secretKeys,
    SVC_DRAIN_SECONDS: '0',
    ...given,
  })
  const gateway = opened.use(await openGateway(environment, log))
  proxy.ports.push(Number(new URL(gateway.url).port))
  const resources = opened.move()
  return {
    api: api.url,
    gateway: proxy.url,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export function placeAt(world: World, baseUrl: string): Place {
  const send = (path: string, init: RequestInit) =>
    fetch(baseUrl + path, { redirect: 'manual', ...init })
  return {
    world,
    baseUrl,
    resource: `${baseUrl}/mcp`,
    get: (path, headers = {}) => send(path, { headers }),
    postJson: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': someNetwork(),
          ...headers,
        },
      }),
    postForm: (path, fields, headers = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    browserOf: async (person) =>
      signedIn(world.domain, { userId: (await person.actor()).userId, baseUrl }),
  }
}

let networks = 0
function someNetwork(): string {
  networks += 1
  return `2001:db8:${networks.toString(16)}::1`
}

export function proofKey(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const callback = 'http://127.0.0.1:7777/callback'

export async function registerClient(
  { postJson }: Place,
  metadata: object = {},
): Promise<{ client_id: string }> {
  const given = { client_name: 'Agent', redirect_uris: [callback], ...metadata }
  const answer = await postJson('/oauth/register', given)
  // what a registration answers with when it is not refused
  return (await answer.json()) as { client_id: string }
}

export interface Flow {
  clientId: string
  verifier: string
  redirectUri: string
  /** What the authorization request says. */
  asked: Record<string, string>
}

/** A client that is about to ask. */
export async function startFlow(place: Place, changes: Record<string, string> = {}): Promise<Flow> {
  const { client_id: clientId } = await registerClient(place)
  const { verifier, challenge } = proofKey()
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'as it was',
    resource: place.resource,
    ...changes,
  }
  return { clientId, verifier, redirectUri: asked.redirect_uri, asked }
}

/** What the browser is sent on with. */
export async function ask(
  { get }: Place,
  asked: Fields,
  browser?: Record<string, string>,
): Promise<Response> {
  return get(`/oauth/authorize?${new URLSearchParams(asked).toString()}`, browser)
}

/** The handle of the request that a person is to answer. */
export async function askFor(place: Place, flow: Flow): Promise<string> {
  const answer = await ask(place, flow.asked)
  const location = new URL(answer.headers.get('location') ?? '', place.baseUrl)
  return location.searchParams.get('request') ?? ''
}

/** The consent page as a browser shows it, and the fields of its form. */
export async function openConsent(place: Place, handle: string, browser: Record<string, string>) {
  const answer = await place.get(`/oauth/approve?request=${handle}`, browser)
  const text = await answer.text()
  const [, formToken = ''] = /name="form_token" value="([^"]+)"/.exec(text) ?? []
  return { answer, text, fields: { request: handle, form_token: formToken } }
}

export interface Answering {
  person?: Person
  decision?: 'allow' | 'deny'
  workspace?: string
}

/** A person answers; where that leads. */
export async function answerConsent(
  place: Place,
  handle: string,
  { person = place.world.alice, decision = 'allow', workspace }: Answering = {},
): Promise<URL> {
  const browser = await place.browserOf(person)
  const { fields } = await openConsent(place, handle, browser)
  const answer = await place.postForm(
    '/oauth/approve',
    { ...fields, decision, workspace: workspace ?? (await person.actor()).workspaceId },
    browser,
  )
  return new URL((await ledTo(answer)) ?? 'none:', place.baseUrl)
}

/** A code that was approved and not yet exchanged. */
export async function approvedCode(place: Place, flow: Flow, who: Answering = {}): Promise<string> {
  const led = await answerConsent(place, await askFor(place, flow), who)
  return led.searchParams.get('code') ?? ''
}

export function exchangeFields(flow: Flow, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: flow.clientId,
    code,
    redirect_uri: flow.redirectUri,
    code_verifier: flow.verifier,
  }
}

export async function exchange(
  place: Pick<Place, 'postForm'>,
  flow: Flow,
  code: string,
  changes: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await place.postForm('/oauth/token', { ...exchangeFields(flow, code), ...changes })
  // every answer of this endpoint is an object
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Carries out the whole flow and answers its token. */
export async function tokenFor(place: Place, who: Answering = {}): Promise<string> {
  const flow = await startFlow(place)
  const { body } = await exchange(place, flow, await approvedCode(place, flow, who))
  return String(body['access_token'])
}

export async function callMcp(
  { baseUrl }: Pick<Place, 'baseUrl'>,
  token: string,
  call: object = { method: 'tools/list' },
): Promise<Response> {
  return fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...call }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  })
}
