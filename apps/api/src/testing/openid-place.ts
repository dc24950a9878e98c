import { createLog } from '@svc/process/log'
import { createTestDatabase } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { type World, openWorld } from '@svc/testing/world'
import { sql } from 'kysely'
import { ApiEnvironment } from '../env.ts'
import { openApi } from '../server.ts'
import { type Browser, createBrowser } from './browser.ts'
import { type TokenMaker, openTokenMaker } from './token-maker.ts'
import { openRealProvider } from './real-provider.ts'

const log = createLog({ name: 'test', level: 'silent' })

export interface OpenIdPlace extends AsyncDisposable {
  world: World
  baseUrl: string
  /** A provider that signs whatever it is told to. */
  maker: TokenMaker
  browser: () => Browser
  /** How many people, identities and sign-ins there are. */
  counts: () => Promise<{ people: number; identities: number; signIns: number }>
}

/** The API, with a real provider of OpenID that is called `real`, and one that is called `made` and may lie. */
export async function openOpenIdPlace(
  variables: Record<string, string> = {},
): Promise<OpenIdPlace> {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(connectionString))
  const maker = opened.use(await openTokenMaker())
  const real = opened.use(await openRealProvider())
  const joining = { domains: ['example.com'], workspace: 'here', role: 'viewer' }
  const client = { client: 'svc', secret: 'a secret of the client', ...joining }
  const environment = ApiEnvironment.parse({
    DATABASE_URL: connectionString,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    SVC_DRAIN_SECONDS: '0',
    SVC_OPENID_PROVIDERS: JSON.stringify([
      { name: 'real', issuer: real.issuer, ...client },
      { name: 'made', issuer: maker.issuer, ...client },
    ]),
    SVC_OPENID_ALLOWED_HOSTS: '127.0.0.1',
    ...highLimits,
    ...variables,
  })
  const { baseUrl } = opened.use(await openApi({ environment, log }))
  real.serve({
    client_id: client.client,
    client_secret: client.secret,
    redirect_uris: [`${baseUrl}/openid/real/callback`],
  })
  const { db } = world.domain
  return {
    world,
    baseUrl,
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
