import { createServer } from 'node:http'
import { listen } from '@svc/testing/listen'
import { Provider, errors } from 'oidc-provider'
import { expect } from 'vitest'
import { type Fields, ask, callback, startFlow, test as base, tokenFor } from './place.ts'

/** The certified provider, set up to take what we take. */
const test = base.extend('peer', { scope: 'file' }, async ({ place }, { onCleanup }) => {
  const { client_id = '' } = (await startFlow(place)).asked
  const provider = new Provider('http://127.0.0.1', {
    clients: [
      {
        client_id,
        redirect_uris: [callback],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    responseTypes: ['code'],
    scopes: ['mission_lifecycle'],
    pkce: { required: () => true },
    ttl: { Interaction: 60 },
    renderError: (context) => void (context.body = 'refused'),
    features: {
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          if (resource !== place.resource) throw new errors.InvalidTarget()
          return { scope: 'mission_lifecycle' }
        },
      },
    },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => void answer(request, response))
  const listening = await listen(server)
  onCleanup(() => listening[Symbol.asyncDispose]())
  return (fields: Fields) => {
    const search = new URLSearchParams(fields).toString()
    return fetch(`${listening.url}/auth?${search}`, { redirect: 'manual' })
  }
})

/** A page for the person, a page that asks on, or the answer for the client. */
function outcomeOf(answer: Response): string {
  const location = answer.headers.get('location')
  if (location === null) return 'a page'
  if (!location.startsWith(callback)) return 'asks on'
  // for another response type than code they answer in the fragment
  const { searchParams, hash } = new URL(location)
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? 'no error'
}

const changes: Record<string, string>[] = [
  {},
  { client_id: 'nobody' },
  { client_id: '' },
  { redirect_uri: 'https://evil.example/' },
  { redirect_uri: `${callback}/` },
  { redirect_uri: 'http://127.0.0.1:1/callback' },
  { response_type: '' },
  { response_type: 'token' },
  { response_type: 'code token' },
  { code_challenge: '' },
  { code_challenge: 'a'.repeat(42) },
  { code_challenge: 'a'.repeat(129) },
  { code_challenge_method: 'plain' },
  { code_challenge_method: 's256' },
  { resource: 'https://elsewhere.example/mcp' },
  { resource: 'not an address' },
  { state: '' },
]
const doubled = ['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge']

/** What differs, with the reason for it. */
const reviewed = {
  // where two addresses are given, even equal ones, neither counts as the one that the client has named
  'redirect_uri twice': 'we: a page, they: invalid_request',
}

test('a wrong request is refused as a certified provider refuses it', async ({ place, peer }) => {
  const { asked } = await startFlow(place)
  const requests: [what: string, fields: Fields][] = [
    ...changes.map((change): [string, Fields] => [JSON.stringify(change), { ...asked, ...change }]),
    ...doubled.map((name): [string, Fields] => [
      `${name} twice`,
      [...Object.entries(asked), [name, asked[name] ?? '']],
    ]),
  ]
  // they lead everybody on, we whoever has let the client in
  await tokenFor(place)
  const known = await place.browserOf(place.world.alice)
  const different = []
  for (const [what, fields] of requests) {
    const ours = outcomeOf(await ask(place, fields, known))
    const theirs = outcomeOf(await peer(fields))
    if (ours !== theirs) different.push([what, `we: ${ours}, they: ${theirs}`])
  }
  expect(Object.fromEntries(different)).toEqual(reviewed)
})
