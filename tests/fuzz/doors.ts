import { type Things, password as ownPassword } from './door-things.ts'

export type Values = Readonly<Record<string, (things: Things) => string>>

/** What a browser or a client of OAuth opens, beside the registries of endpoints. */
export interface Door {
  name: string
  method: 'GET' | 'POST'
  path: string
  /** How it answers. */
  speaks: 'HTML' | 'OAuth'
  query?: Values
  form?: Values
  /** In place of a form. */
  json?: (things: Things) => object
  /** Opened by somebody who is signed in; what their form is bound to. */
  about?: (things: Things) => string
}

const as = (text: string) => () => text
const password = as(ownPassword)
const token = (of: 'invitation' | 'reset' | 'setUp'): Values => ({ token: (things) => things[of] })

function page(path: string, query: Values = {}): Door {
  return { name: `GET ${path}`, method: 'GET', path, speaks: 'HTML', query }
}

function form(path: string, fields: Values): Door {
  return { name: `POST ${path}`, method: 'POST', path, speaks: 'HTML', form: fields }
}

/** The same of somebody who is signed in. */
function own(door: Door, about: (things: Things) => string = () => door.path): Door {
  return { ...door, name: `${door.name} of a person`, about }
}

function oauth(path: string, fields: Values): Door {
  return { ...form(path, fields), speaks: 'OAuth' }
}

const login: Values = { request: ({ login: handle }) => handle, workspace: (t) => t.workspaceId }
const asking: Values = { request: ({ request }) => request, workspace: (t) => t.workspaceId }
const inWorkspace: Values = { workspace: (things) => things.workspaceId }

export const doors: readonly Door[] = [
  { ...page('/.well-known/oauth-authorization-server'), speaks: 'OAuth' },
  { ...page('/.well-known/oauth-protected-resource'), speaks: 'OAuth' },
  {
    ...oauth('/oauth/register', {}),
    json: ({ redirectUri }) => ({
      client_name: 'An application',
      redirect_uris: [redirectUri, 'https://app.example.com/back'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
  },
  page('/oauth/authorize', {
    client_id: (things) => things.clientId,
    redirect_uri: (things) => things.redirectUri,
    response_type: as('code'),
    code_challenge: (things) => things.challenge,
    code_challenge_method: as('S256'),
    resource: (things) => things.resource,
    scope: as('mission_lifecycle'),
    state: as('a state'),
  }),
  oauth('/oauth/token', {
    grant_type: as('authorization_code'),
    client_id: (things) => things.clientId,
    redirect_uri: (things) => things.redirectUri,
    code: (things) => things.code,
    code_verifier: (things) => things.verifier,
    resource: (things) => things.resource,
  }),
  oauth('/oauth/revoke', { token: (t) => t.granted, client_id: (t) => t.clientId }),
  page('/oauth/approve', asking),
  own(page('/oauth/approve', asking)),
  own(form('/oauth/approve', { ...asking, decision: as('allow') }), aboutRequest('/oauth/approve')),
  page('/'),
  page('/login/approve', login),
  own(page('/login/approve', login)),
  own(form('/login/approve', { ...login, decision: as('approve') }), aboutLogin),
  page('/signin', { next: as('/account?workspace=here') }),
  form('/signin', { email: as('alice@example.com'), password, next: as('/account') }),
  own(form('/signout', {})),
  page('/setup', token('setUp')),
  form('/setup', {
    ...token('setUp'),
    name: as('Alice'),
    email: as('alice@example.com'),
    password,
  }),
  page('/invite', token('invitation')),
  form('/invite', { ...token('invitation'), name: as('Ida'), password }),
  own(page('/invite', token('invitation'))),
  own(form('/invite', token('invitation')), ({ invitation }) => `/invite ${invitation}`),
  page('/reset', token('reset')),
  form('/reset', { ...token('reset'), password }),
  page('/openid/made', { next: as('/account') }),
  page('/openid/made/callback', { code: as('any'), state: as('any'), iss: as('http://x') }),
  form('/openid/made/own', {}),
  own(page('/openid')),
  own(form('/openid/made', {})),
  own(page('/account', { ...inWorkspace, done: as('token') })),
  own(form('/account/sessions/end', { id: (t) => t.id })),
  own(page('/account/sessions/end-all')),
  own(form('/account/sessions/end-all', {})),
  own(page('/account/access', { done: as('password') })),
  own(form('/account/access', {})),
  own(form('/account/tokens/revoke', { ...inWorkspace, id: (t) => t.id })),
  own(form('/account/identities/unlink', { id: (t) => t.id })),
  own(form('/account/password', { currentPassword: password, newPassword: password })),
  own(
    form('/account/tokens', {
      ...inWorkspace,
      key: (things) => things.id,
      label: as('a token'),
      preset: as('full'),
      days: as('7'),
    }),
  ),
]

function aboutRequest(path: string) {
  return ({ request }: Things) => `${path} ${request}`
}

function aboutLogin({ login: handle }: Things): string {
  return `/login/approve ${handle}`
}
