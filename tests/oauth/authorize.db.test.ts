import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import {
  type Fields,
  type Place,
  ask,
  callback,
  registerClient,
  startFlow,
  test,
  tokenFor,
} from './place.ts'

const browsers = new WeakMap<Place, Promise<Record<string, string>>>()

/** The browser of a person who has allowed the client before. */
function knownBrowser(place: Place): Promise<Record<string, string>> {
  const made = browsers.get(place) ?? tokenFor(place).then(() => place.browserOf(place.world.alice))
  browsers.set(place, made)
  return made
}

/** The parameters for the client in the address that the browser is redirected to; null where that is not a client's. */
async function answerToClient(place: Place, fields: Fields) {
  const answer = await ask(place, fields, await knownBrowser(place))
  const location = answer.headers.get('location')
  if (location === null || location.startsWith('/'))
    return { status: answer.status, to: null, parameters: null }
  const { origin, pathname, searchParams } = new URL(location)
  const { error_description: _words, ...parameters } = Object.fromEntries(searchParams)
  return { status: answer.status, to: `${origin}${pathname}`, parameters }
}

const faults: [what: string, changes: Record<string, string>, error: string][] = [
  ['no response type', { response_type: '' }, 'invalid_request'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['two response types', { response_type: 'code token' }, 'unsupported_response_type'],
  ['an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['no challenge', { code_challenge: '' }, 'invalid_request'],
  ['a challenge that is too short', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['a challenge that is padded', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
  ['no method', { code_challenge_method: '' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a method in lower case', { code_challenge_method: 's256' }, 'invalid_request'],
  ['another scope', { scope: 'full' }, 'invalid_scope'],
  ['more than the scope', { scope: 'mission_lifecycle full' }, 'invalid_scope'],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
]

const doubled = ['response_type', 'code_challenge', 'code_challenge_method', 'scope', 'state']

describe('a request whose client and address are known', () => {
  test.for(faults)('with %s is refused to the client', async ([, changes, error], { place }) => {
    const { asked } = await startFlow(place, changes)
    expect(await answerToClient(place, asked)).toEqual({
      status: 302,
      to: callback,
      parameters: { error, state: 'as it was', iss: place.baseUrl },
    })
  })

  test.for(doubled)('with %s twice is refused to the client', async (name, { place }) => {
    const { asked } = await startFlow(place, { scope: 'mission_lifecycle' })
    const twice: Fields = [...Object.entries(asked), [name, asked[name] ?? '']]
    const state = name === 'state' ? {} : { state: 'as it was' }
    expect(await answerToClient(place, twice)).toEqual({
      status: 302,
      to: callback,
      parameters: { error: 'invalid_request', iss: place.baseUrl, ...state },
    })
  })

  test('is refused to the client by a link alone, where the person has not let it in', async ({
    place,
  }) => {
    const { asked } = await startFlow(place, { response_type: 'token' })
    await knownBrowser(place)
    for (const browser of [undefined, await place.browserOf(place.world.bob)]) {
      const answer = await ask(place, asked, browser)
      const page = await answer.text()
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.headers.get('refresh')).toBeNull()
      expect(page).not.toContain('http-equiv')
      const [, link = ''] = /<a href="(http:[^"]+)"/.exec(page) ?? []
      const { origin, pathname, searchParams } = new URL(link.replaceAll('&amp;', '&'))
      expect(`${origin}${pathname}`).toBe(callback)
      expect(searchParams.get('error')).toBe('unsupported_response_type')
      expect(searchParams.get('state')).toBe('as it was')
    }
  })

  test('may leave out scope, state and resource', async ({ place }) => {
    const { asked } = await startFlow(place, { state: '', resource: '' })
    const answer = await ask(place, { ...asked, scope: '' })
    expect(answer.headers.get('location')).toMatch(/^\/oauth\/approve\?request=/)
  })
})

describe('a request', () => {
  const anything = faults.map(([what, changes]) => [what, changes] as const)

  test(
    'of a client or an address that is not known, or that comes twice, leads nowhere, whatever else is wrong',
    { tags: 'large' },
    async ({ place }) => {
      const { asked } = await startFlow(place)
      const client_id = asked['client_id'] ?? ''
      const strangers: ((fields: Record<string, string>) => Fields)[] = [
        (fields) => ({ ...fields, client_id: 'nobody' }),
        (fields) => ({ ...fields, client_id: '' }),
        (fields) => ({ ...fields, client_id: 'https://127.0.0.1/client.json' }),
        (fields) => [...Object.entries(fields), ['client_id', client_id]],
        (fields) => ({ ...fields, redirect_uri: 'https://evil.example/' }),
        (fields) => ({ ...fields, redirect_uri: `${callback}/more` }),
        (fields) => ({ ...fields, redirect_uri: '' }),
        (fields) => [...Object.entries(fields), ['redirect_uri', callback]],
      ]
      for (const stranger of strangers) {
        for (const [, changes] of [['nothing', {}] as const, ...anything]) {
          const answer = await ask(place, stranger({ ...asked, ...changes }))
          expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
          expect(answer.headers.get('content-type')).toContain('text/html')
        }
      }
    },
  )

  test('of a program on the computer may name another port than it registered', async ({
    place,
  }) => {
    const { client_id } = await registerClient(place, {
      redirect_uris: ['http://localhost:1/cb', 'http://[::1]/cb'],
    })
    const { asked } = await startFlow(place)
    const statuses = []
    for (const redirect_uri of [
      'http://localhost:55123/cb',
      'http://localhost/cb',
      'http://[::1]:8080/cb',
      'http://127.0.0.1:1/cb',
      'http://localhost:1/cb/',
    ]) {
      statuses.push((await ask(place, { ...asked, client_id, redirect_uri })).status)
    }
    expect(statuses).toEqual([302, 302, 302, 400, 400])
  })
})

describe('the resource of a request', () => {
  test(
    verifies(
      'oauth.resource-approval',
      'is the endpoint and nothing else, in a few spellings of the same',
    ),
    async ({ place }) => {
      const { asked } = await startFlow(place)
      const { resource: _bound, ...without } = asked
      const { host, port } = new URL(place.baseUrl)
      const led = async (...resources: string[]) => {
        const fields: Fields = [
          ...Object.entries(without),
          ...resources.map((one): [string, string] => ['resource', one]),
        ]
        const { parameters } = await answerToClient(place, fields)
        return parameters ? parameters['error'] : 'asked'
      }
      for (const same of [place.resource, `HTTP://${host}/mcp`]) {
        expect([same, await led(same)]).toEqual([same, 'asked'])
      }
      expect(await led(place.resource, place.resource)).toBe('asked')
      const stored = await place.world.domain.db
        .selectFrom('oauth_requests')
        .select('resource')
        .where('code_challenge', '=', asked['code_challenge'] ?? '')
        .execute()
      expect(stored).toEqual(Array(3).fill({ resource: place.resource }))
      const others = [
        place.baseUrl,
        `${place.resource}/`,
        `${place.resource}?x`,
        `${place.resource}#f`,
        `${place.baseUrl}/MCP`,
        `${place.baseUrl}//mcp`,
        `${place.baseUrl}/./mcp`,
        `${place.baseUrl}/%6dcp`,
        `http://user@${host}/mcp`,
        `http://localhost:${port}/mcp`,
        'http://127.0.0.1/mcp',
        `https://${host}/mcp`,
        'mcp',
        'urn:mcp',
        ` ${place.resource}`,
      ]
      for (const other of others) {
        expect([other, await led(other)]).toEqual([other, 'invalid_target'])
        expect([other, await led(place.resource, other)]).toEqual([other, 'invalid_target'])
      }
    },
  )
})
