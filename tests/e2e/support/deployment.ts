import { randomBytes } from 'node:crypto'
import type { Domain } from '@svc/domain/domain'
import { enrol } from '@svc/domain/testing/enrol'
import { nextName } from '@svc/domain/testing/plans'
import { installTestClock } from '@svc/testing/clock'
import { highLimits } from '@svc/testing/high-limits'
import { type AppProcess, openApp } from './app-process.ts'
import { expectDone } from './ended.ts'
import { openDomainOf } from './open-domain.ts'
import { startNode } from './processes.ts'
import { programs } from './programs.ts'
import { type Scene, type SceneSetUp, type TokenOrder, openScene } from './scene.ts'
import { seconds } from './service.ts'

/** How long the dispatcher's claim of an event lasts, and what pg-boss waits after it. */
export const claimLapsesMs = 70_000

/** API and dispatcher as processes of their own, on a database whose operator a test is. */
export interface Deployment extends AsyncDisposable {
  readonly baseUrl: string
  readonly api: AppProcess
  readonly dispatcher: AppProcess
  /** What only the operator can see and do. */
  domain: Domain
  /** `svc-admin`, to its end; answers what it printed. */
  admin: (...words: string[]) => Promise<string>
  start: () => Promise<void>
  stop: () => Promise<void>
  token: (order?: TokenOrder) => Promise<string>
  scene: (setUp?: SceneSetUp) => Promise<Scene>
}

export interface Addresses {
  databaseUrl: string
  /** Where it is not that one: past a pooler. */
  directUrl?: string
}

/** On an empty database, which it migrates; `more` goes into the environment of each process. */
export async function openDeployment(
  { databaseUrl, directUrl }: Addresses,
  more: NodeJS.ProcessEnv = {},
): Promise<Deployment> {
  await using opened = new AsyncDisposableStack()
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
    ...highLimits,
    ...seconds,
    ...more,
  }
  const admin = async (...words: string[]) => {
    const started = startNode(programs.admin, words, { env })
    await expectDone(started)
    return started.stdout()
  }
  await admin('migrate')
  const domain = opened.use(await openDomainOf(directUrl ?? databaseUrl, secretKeys))
  await installTestClock(domain.db)
  const environment = (url: string) => ({ ...env, SVC_BASE_URL: url })
  const api = opened.use(await openApp('api', environment))
  const dispatcher = opened.use(await openApp('dispatcher', environment))
  const apps = [api, dispatcher]
  const resources = opened.move()
  const deployment: Deployment = {
    baseUrl: api.url,
    api,
    dispatcher,
    domain,
    admin,
    async start() {
      await Promise.all(apps.map((app) => app.start()))
    },
    async stop() {
      for (const app of apps) app.started().kill()
      await Promise.all(apps.map((app) => app.started().ended))
    },
    async token({ person = nextName('person'), workspace = 'here', ...rest } = {}) {
      return (await enrol(domain, { workspace, name: person, ...rest })).token
    },
    scene: (setUp) => openScene(deployment, setUp),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
  return deployment
}
