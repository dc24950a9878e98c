import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { migrate } from '@svc/admin/migrate'
import type { Domain } from '@svc/domain/domain'
import { ensureWorkspace } from '@svc/domain/workspaces/set-up/set-up'
import { enrol } from '@svc/domain/testing/enrol'
import { openDomainOf } from './open-domain.ts'
import { type TokenOrder, newPerson } from './people.ts'
import { freePort } from '@svc/testing/free-port'
import { type Started, startNode } from './processes.ts'
import { type Scene, type SceneSetUp, openScene } from './scene.ts'
import { until } from './until.ts'

const apiMain = fileURLToPath(import.meta.resolve('@svc/api/main'))

/** A lease that a busy machine keeps; who needs it to lapse moves the clock of the database. */
const seconds = {
  SVC_LEASE_SECONDS: '10',
  SVC_HEARTBEAT_SECONDS: '0.5',
  SVC_SWEEP_SECONDS: '0.3',
  SVC_ATTACH_SECONDS: '60',
  SVC_DRAIN_SECONDS: '0',
}

/** How long such a lease lasts, and the quarter of it that the service waits in addition. */
export const leaseLapsesMs = 13_000

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

/** A real API process on that database, and what only its operator can do; `more` goes into its environment. */
export async function openService(
  databaseUrl: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  await migrate({ databaseUrl, secretKeys })
  const domain = await openDomainOf(databaseUrl, secretKeys)
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const env = { DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys, SVC_PORT: String(port) }
  let api: Started | undefined

  const service: Service = {
    baseUrl,
    secrets: [databaseUrl, secretKeys],
    domain,
    api() {
      if (api === undefined) throw new Error('start the service first')
      return api
    },
    async start() {
      const started = startNode(apiMain, [], { env: { ...env, ...seconds, ...more } })
      api = started
      // however slowly it starts, it gets ready or ends
      await until('the API is ready', () => isReady(baseUrl, started), { seconds: Infinity })
    },
    token: (order) => tokenOf(domain, order),
    scene: (setUp) => openScene(service, setUp),
    async [Symbol.asyncDispose]() {
      api?.kill('SIGTERM')
      await api?.ended
      await domain[Symbol.asyncDispose]()
    },
  }
  await service.start()
  return service
}

async function isReady(baseUrl: string, api: Started): Promise<boolean> {
  if (api.isOver()) throw new Error(`the API ended:\n${api.output()}`)
  return fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function tokenOf(domain: Domain, order: TokenOrder = {}): Promise<string> {
  const { person = newPerson(), workspace = 'here', ...rest } = order
  const workspaceId = await ensureWorkspace(domain, { slug: workspace, name: workspace })
  return (await enrol(domain, { workspaceId, name: person, ...rest })).token
}
