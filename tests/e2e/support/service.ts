import { randomBytes } from 'node:crypto'
import { migrate } from '@svc/admin/migrate'
import type { Domain } from '@svc/domain/domain'
import { enrol } from '@svc/domain/testing/enrol'
import { nextName } from '@svc/domain/testing/plans'
import { type AppProcess, openApp } from './app-process.ts'
import { openDomainOf } from './open-domain.ts'
import { openPartsOn } from './parts.ts'
import type { Started } from './processes.ts'
import { type Scene, type SceneSetUp, type TokenOrder, openScene } from './scene.ts'

/** A lease that a busy machine keeps; who needs it to lapse moves the clock of the database. */
export const seconds = {
  SVC_LEASE_SECONDS: '20',
  SVC_HEARTBEAT_SECONDS: '1',
  SVC_SWEEP_SECONDS: '1',
  SVC_ATTACH_SECONDS: '60',
}

/** How long such a lease lasts, and the quarter of it that the service waits in addition. */
export const leaseLapsesMs = 26_000

export interface Service extends AsyncDisposable {
  readonly baseUrl: string
  /** Runs the API process; the one before must have gone. Resolves when it is ready. */
  start: () => Promise<void>
  api: () => Started
  /** What the environment of the API process holds that nobody else may see. */
  readonly secrets: readonly string[]
  domain: Domain
  token: (order?: TokenOrder) => Promise<string>
  scene: (setUp?: SceneSetUp) => Promise<Scene>
}

/** What the apps besides the API need of a service that runs. */
export const besides = ({ secrets: [DATABASE_URL, SVC_SECRET_KEYS] }: Service) => ({
  DATABASE_URL,
  SVC_SECRET_KEYS,
})

let servesInParts = false

/** What `openService` opens from now on is all of docker-compose.yml behind an edge, until the answer is called. */
export function serveInParts(): () => void {
  servesInParts = true
  return () => {
    servesInParts = false
  }
}

/** A real API process on that database, and what only its operator can do; `more` goes into its environment. */
export async function openService(
  databaseUrl: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  await migrate({ databaseUrl, secretKeys })
  const domain = await openDomainOf(databaseUrl, secretKeys)
  const env = { DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys, ...seconds, ...more }
  const api: Served = servesInParts
    ? await openBehindEdge(databaseUrl, secretKeys, env)
    : await openApp('api', () => env)
  const service: Service = {
    baseUrl: api.url,
    secrets: [databaseUrl, secretKeys],
    domain,
    api: api.started,
    async start() {
      await api.start()
    },
    token: (order) => tokenOf(domain, order),
    scene: (setUp) => openScene(service, setUp),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await domain[Symbol.asyncDispose]()
    },
  }
  await service.start()
  return service
}

interface Served extends Omit<AppProcess, 'start'> {
  start: () => Promise<unknown>
}

/** In the place of the one API process: what stops, and comes back, is another thing in parts. */
async function openBehindEdge(
  databaseUrl: string,
  secretKeys: string,
  env: NodeJS.ProcessEnv,
): Promise<Served> {
  const parts = await openPartsOn(databaseUrl, secretKeys, env)
  const started = () => {
    throw new Error('in parts there is no one API process')
  }
  return {
    url: parts.baseUrl,
    // it runs
    start: () => Promise.resolve(),
    started,
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}

async function tokenOf(domain: Domain, order: TokenOrder = {}): Promise<string> {
  const { person = nextName('person'), workspace = 'here', ...rest } = order
  return (await enrol(domain, { workspace, name: person, ...rest })).token
}
