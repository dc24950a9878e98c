import { randomBytes } from 'node:crypto'
import { type Client, createClient } from '@svc/client/client'
import { openDatabase } from '@svc/db/database'
import { installTestClock } from '@svc/testing/clock'
import { createEmptyDatabase } from '@svc/testing/database'
import { expect } from 'vitest'
import { type AppProcess, openApp } from './app-process.ts'
import { expectDone } from './ended.ts'
import { startNode } from './processes.ts'
import { openProxy } from './proxy.ts'
import type { Version } from './versions.ts'

/** Those of one version. */
export interface Apps {
  api: AppProcess
  dispatcher: AppProcess
  /** Of the owner, past the edge. */
  client: Client
}

export interface TwoVersions extends AsyncDisposable {
  databaseUrl: string
  secretKeys: string
  /** Of the owner. */
  token: () => Promise<string>
  /** The edge in front of both. */
  baseUrl: string
  from: Apps
  to: Apps
  /** Of a version, to its end. */
  admin: (version: Version, ...words: string[]) => Promise<string>
  /** Calls that come from now on go to these, one after the other. */
  lead: (...to: Apps[]) => void
}

/** A lease that a busy machine keeps. */
const settings = {
  SVC_LEASE_SECONDS: '20',
  SVC_HEARTBEAT_SECONDS: '0.5',
  SVC_SWEEP_SECONDS: '1',
  SVC_POOL_SIZE: '4',
  SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
}

/** The command that makes a workspace and its owner, and prints their token. */
export function createOwner(workspace: string): string[] {
  const named = `--workspace ${workspace} --workspace-name ${workspace}`
  return `create-owner ${named} --email ${workspace}@example.com --name Owner`.split(' ')
}

/** A new database with the schema and the running apps of `from`; those of `to` are there to be started. */
export async function openTwoVersions(from: Version, to: Version): Promise<TwoVersions> {
  await using opened = new AsyncDisposableStack()
  const { connectionString: databaseUrl } = opened.use(await createEmptyDatabase())
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  let led: Apps[] = []
  let calls = 0
  const edge = opened.use(await openProxy(() => led[calls++ % led.length]?.api.url ?? ''))
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_BASE_URL: edge.url,
    ...settings,
  }
  const admin = async (version: Version, ...words: string[]) => {
    const command = startNode(version.main('admin'), words, { env })
    await expectDone(command)
    return command.stdout().trim()
  }
  await admin(from, 'migrate')
  await using db = openDatabase({ url: databaseUrl, poolSize: 1, onError: () => undefined })
  await installTestClock(db)
  const token = await admin(from, ...createOwner('here'))

  const appsOf = async (version: Version): Promise<Apps> => {
    // on a schema of later the version before answers, and is not ready
    const health = version === from ? '/readyz' : '/livez'
    const open = async (app: 'api' | 'dispatcher') =>
      opened.use(await openApp(app, () => env, { main: version.main(app), health }))
    const api = await open('api')
    const client = createClient({ baseUrl: api.url, token })
    return { api, dispatcher: await open('dispatcher'), client }
  }
  const two = { from: await appsOf(from), to: await appsOf(to) }
  const lead = (...apps: Apps[]) => void (led = apps)
  await two.from.api.start()
  await two.from.dispatcher.start()
  lead(two.from)
  const resources = opened.move()
  return {
    ...two,
    databaseUrl,
    secretKeys,
    baseUrl: edge.url,
    admin,
    lead,
    token: () => Promise.resolve(token),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What fails of what an edge asks for before it sends calls there. */
export async function failingChecks({ url }: AppProcess): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`)
  const { failed } = (await answer.json()) as { failed: unknown }
  expect(answer.ok).toBe(String(failed) === '')
  return failed
}

/** Ends it as a deployment does, and answers what it found wrong meanwhile. */
export async function stop(app: AppProcess): Promise<string[]> {
  const started = app.started()
  started.kill()
  await expectDone(started)
  return complaints(started.output())
}

interface Line {
  /** Apps say it as a number, and supervisors by its name. */
  level?: unknown
  err?: { name?: string }
}

const info: unknown[] = [30, 'info']

/** The lines of a log that are more than information; what only came late says how busy the machine is. */
export function complaints(log: string): string[] {
  const isComplaint = ({ level, err }: Line) =>
    !info.includes(level) && err?.name !== 'TimeoutError'
  return log.split('\n').filter((line) => line !== '' && isComplaint(JSON.parse(line)))
}
