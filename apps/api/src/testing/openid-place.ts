import { highLimits } from '@svc/testing/high-limits'
import { sql } from 'kysely'
import { type Browser, createBrowser } from './browser.ts'
import { openPlace } from './place.ts'
import type { Place, Variables } from './serve-api.ts'
import { type TokenMaker, openTokenMaker } from './token-maker.ts'
import { openRealProvider } from './real-provider.ts'

export interface OpenIdPlace extends Place {
  /** A provider that signs whatever a test wants. */
  maker: TokenMaker
  browser: () => Browser
  /** How many people, identities and sign-ins there are. */
  counts: () => Promise<{ people: number; identities: number; signIns: number }>
}

/** The API, with a real provider of OpenID that is called `real`, and one that is called `made` and may lie. */
export async function openOpenIdPlace(variables?: Variables): Promise<OpenIdPlace> {
  const opened = new AsyncDisposableStack()
  const maker = opened.use(await openTokenMaker())
  const real = opened.use(await openRealProvider())
  const joining = { domains: ['example.com'], workspace: 'here', role: 'viewer' }
  const client = { client: 'svc', secret: 'a secret of the client', ...joining }
  const place = await openPlace({
    SVC_OPENID_PROVIDERS: JSON.stringify([
      { name: 'real', issuer: real.issuer, ...client },
      { name: 'made', issuer: maker.issuer, ...client },
    ]),
    SVC_OPENID_ALLOWED_HOSTS: '127.0.0.1',
    ...highLimits,
    ...variables,
  })
  const { world, baseUrl } = opened.use(place)
  real.serve({
    client_id: client.client,
    client_secret: client.secret,
    redirect_uris: [`${baseUrl}/openid/real/callback`],
  })
  const { db } = world.domain
  return {
    ...place,
    maker,
    browser: () => createBrowser(baseUrl),
    counts: async () => {
      const { rows } = await sql<Awaited<ReturnType<OpenIdPlace['counts']>>>`
        select (select count(*)::int from users) people,
               (select count(*)::int from user_identities) identities,
               (select count(*)::int from sign_ins) as "signIns"`.execute(db)
      return rows[0] ?? { people: 0, identities: 0, signIns: 0 }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
