import { migrate } from '@svc/admin/migrate'
import type { ApiOptions } from '@svc/api/app'
import { type Api, openApi } from '@svc/api/server'
import { openDispatcher } from '@svc/dispatcher/server'
import { loopbackOrigin } from '@svc/http/loopback'
import { bindGateway } from '@svc/mcp-gateway/app'
import { createLog, openLogFile } from '@svc/process/log'
import type { Running } from '@svc/process/run'
import { openHome } from '@svc/runner/files/home'
import { type DataFolder, openDataFolder, readOrMakeKeys } from './data-folder.ts'
import type { StandaloneEnvironment } from './env.ts'
import { Fault } from './fault.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { keepPostgres } from './keep-postgres.ts'
import { keepRunner } from './keep-runner.ts'
import { keepWebApp } from './keep-web-app.ts'
import { type Owner, ensureOwner, ensurePerson, openOwnersLink, ownWorkspace } from './owner.ts'
import { type OwnRunner, heedOwner } from './own-trust.ts'
import type { Reporter } from './reporter.ts'
import { type WebhookConsumer, openWebhookConsumer } from './webhook-consumer.ts'

export interface Composed {
  data: DataFolder
  api: Api
  owner: Owner
  /** Where the owner sets a password for the browser, as long as nobody has one. */
  setUpUrl: string | undefined
  baseUrl: string
  mcpEnabled: boolean
  consumer: WebhookConsumer
}

/** What everything else stands on, in the data folder or where the environment says. */
export interface Store {
  data: DataFolder
  databaseUrl: string
  secretKeys: string
  lock: InstanceLock
}

export async function openStore(
  environment: StandaloneEnvironment,
  running: Running,
  reporter: Reporter,
): Promise<Store> {
  const { open } = running
  const data = openDataFolder(environment.SVC_DATA_DIR)
  const expected = loopbackOrigin(environment.SVC_HOST, environment.SVC_PORT)
  const lock = await open(() => lockInstance(data.lockFile, expected))
  const databaseUrl =
    environment.DATABASE_URL ??
    (await open(() => keepPostgres(data.postgres, running, reporter))).connectionString
  const secretKeys = environment.SVC_SECRET_KEYS ?? readOrMakeKeys(data)
  await migrate({ databaseUrl, secretKeys }).catch(explainDatabaseError)
  return { data, databaseUrl, secretKeys, lock }
}

/**
 * Opens everything in order; what is open closes in the opposite one: daemon and supervisors first, then API, pools,
 * PostgreSQL.
 */
export async function compose(
  environment: StandaloneEnvironment,
  running: Running,
  reporter: Reporter,
): Promise<Composed> {
  const { open } = running
  // built while the database starts
  const web = await open(() => keepWebApp(reporter))
  const { data, databaseUrl, secretKeys, lock } = await openStore(environment, running, reporter)
  const { level } = running.log
  const log = createLog({ name: 'svc', level, to: openLogFile(data.logFile) })
  const consumer = await open(() => openWebhookConsumer(data.consumerFile, log))
  const configured = {
    ...environment,
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_WEBHOOK_ALLOWED_HOSTS: [
      ...environment.SVC_WEBHOOK_ALLOWED_HOSTS,
      `${ownWorkspace}@${consumer.host}`,
    ],
  }
  const bindMore: ApiOptions['bindMore'] = (app, { domain, limiter, baseUrl }) => {
    if (environment.SVC_MCP_ENABLED) bindGateway(app, { domain, log, limiter, baseUrl })
  }
  const own: { runner?: OwnRunner } = {}
  const heedLaunchSettings = heedOwner(log, own)
  const api = await open(() =>
    openApi({ environment: configured, log, bindMore, webApp: web.current, heedLaunchSettings }),
  )
  const { baseUrl } = api
  const isEmbedded = environment.DATABASE_URL === undefined
  lock.announce({ baseUrl, databaseUrl: isEmbedded ? databaseUrl : null })
  await open(() => openDispatcher({ environment: configured, log, health: false }))
  const owner = await ensureOwner(api.domain, data, baseUrl)
  const { userId: ownerId } = await ensurePerson(api.domain)
  own.runner = { home: openHome(data.runnerHome), service: baseUrl, ownerId }
  const setUpUrl = await openOwnersLink(api.domain, baseUrl)
  const renewToken = async () => (await ensureOwner(api.domain, data, baseUrl)).runnerToken
  const token = owner.runnerToken
  await open(() => keepRunner({ data, baseUrl, token, renewToken, running, reporter }))
  return { data, api, owner, setUpUrl, baseUrl, mcpEnabled: environment.SVC_MCP_ENABLED, consumer }
}

/** Only a database of the person's own is ever away; the sentence holds no part of its address. */
function explainDatabaseError(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^(E[A-Z]+|28\w{3}|3D000|57P0\d)$/.test(code)) throw error
  throw new Fault(
    `The database of DATABASE_URL cannot be used (${code}): check that it runs, and its host, port, name, user and password.`,
    { cause: error },
  )
}
