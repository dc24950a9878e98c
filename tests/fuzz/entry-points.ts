import { type Inputs, password as ownPassword } from './entry-point-inputs.ts'

export type Values = Readonly<Record<string, (inputs: Inputs) => string>>

/** A page or an endpoint of OAuth, which stand in none of the registries of endpoints. */
export interface EntryPoint {
  name: string
  method: 'GET' | 'POST'
  path: string
  /** How it answers. */
  speaks: 'HTML' | 'OAuth'
  query?: Values
  form?: Values
  /** In place of a form. */
  json?: (inputs: Inputs) => object
  /** Present where the caller is signed in: what their form is bound to. */
  about?: (inputs: Inputs) => string
}

const as = (text: string) => () => text
const password = as(ownPassword)
const token = (of: 'invitation' | 'reset' | 'setUp'): Values => ({ token: (inputs) => inputs[of] })

function page(path: string, query: Values = {}): EntryPoint {
  return { name: `GET ${path}`, method: 'GET', path, speaks: 'HTML', query }
}

function form(path: string, fields: Values): EntryPoint {
  return { name: `POST ${path}`, method: 'POST', path, speaks: 'HTML', form: fields }
}

/** The same of somebody who is signed in. */
function own(
  entryPoint: EntryPoint,
  about: (inputs: Inputs) => string = () => entryPoint.path,
): EntryPoint {
  return { ...entryPoint, name: `${entryPoint.name} of a person`, about }
}

function oauth(path: string, fields: Values): EntryPoint {
  return { ...form(path, fields), speaks: 'OAuth' }
}

const login: Values = { request: ({ login: handle }) => handle, workspace: (t) => t.workspaceId }
const asking: Values = { request: ({ request }) => request, workspace: (t) => t.workspaceId }
const inWorkspace: Values = { workspace: (inputs) => inputs.workspaceId }

export const entryPoints: readonly EntryPoint[] = [
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
    client_id: (inputs) => inputs.clientId,
    redirect_uri: (inputs) => inputs.redirectUri,
    response_type: as('code'),
    code_challenge: (inputs) => inputs.challenge,
    code_challenge_method: as('S256'),
    resource: (inputs) => inputs.resource,
    scope: as('mission_lifecycle'),
    state: as('a state'),
  }),
  oauth('/oauth/token', {
    grant_type: as('authorization_code'),
    client_id: (inputs) => inputs.clientId,
    redirect_uri: (inputs) => inputs.redirectUri,
    code: (inputs) => inputs.code,
    code_verifier: (inputs) => inputs.verifier,
    resource: (inputs) => inputs.resource,
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
  own(page('/account/workspaces/delete', inWorkspace)),
  own(form('/account/workspaces/delete', { ...inWorkspace, name: as('Here') })),
  own(form('/account/workspaces/restore', inWorkspace)),
  own(form('/account/tokens/revoke', { ...inWorkspace, id: (t) => t.id })),
  own(form('/account/identities/unlink', { id: (t) => t.id })),
  own(form('/account/password', { currentPassword: password, newPassword: password })),
  own(
    form('/account/tokens', {
      ...inWorkspace,
      key: (inputs) => inputs.id,
      label: as('a token'),
      preset: as('full'),
      days: as('7'),
    }),
  ),
]

function aboutRequest(path: string) {
  return ({ request }: Inputs) => `${path} ${request}`
}

function aboutLogin({ login: handle }: Inputs): string {
  return `/login/approve ${handle}`
}
