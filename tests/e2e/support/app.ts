import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseLocation } from '@svc/embedded-postgres/launch-identity'
import { type Client, createClient } from '@svc/client/client'
import { freePort } from '@svc/testing/free-port'
import { findDaemon } from '@svc/runner/daemon/home-lock'
import { type Home, homeAt } from '@svc/runner/files/home'
import {
  type Started,
  killAll,
  processesIn,
  processesWith,
  startNode,
  startNodeInTerminal,
} from './processes.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { until } from './until.ts'

const standaloneMain = fileURLToPath(import.meta.resolve('@svc/standalone/main'))

/** The standalone app on a data folder and a port of its own. */
export interface App extends AsyncDisposable {
  readonly data: string
  readonly port: number
  readonly url: string
  readonly home: Home
  /** What its next start finds in its environment besides. */
  readonly env: NodeJS.ProcessEnv
  start: (...args: string[]) => Started
  /** On a terminal of its own, which closes when the process that this answers is killed. */
  startInTerminal: (...args: string[]) => Started
  /** As the owner, whose token lies in the data folder. */
  client: () => Client
  owner: () => { token: string; runnerToken: string }
  daemon: () => Promise<number>
  postgres: () => Promise<number>
  /** Every living process that belongs to this app. */
  processes: () => number[]
  /** Waits until the start prints this, or has ended without it. */
  says: (started: Started, text: string | RegExp) => Promise<void>
}

export async function createApp(main = standaloneMain): Promise<App> {
  const temporary = temporaryFolder(ofPerson)
  const folder = temporary.path
  const data = join(folder, 'data')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const home = homeAt(join(data, 'runner'))
  const env: NodeJS.ProcessEnv = {}
  const started = new Set<Started>()
  const processes = () => [
    ...new Set([
      ...[...started].filter((one) => !one.isOver()).map(({ pid }) => pid),
      ...processesWith(`SVC_RUNNER_HOME=${home.folder}`),
      ...postgresProcesses(data),
    ]),
  ]
  const owner: App['owner'] = () => JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8'))
  const startWith = (how: typeof startNode, args: string[]) => {
    mkdirSync(join(folder, 'home'), { recursive: true })
    const process = how(main, args, {
      cwd: folder,
      env: {
        HOME: join(folder, 'home'),
        SVC_DATA_DIR: data,
        SVC_PORT: String(port),
        SVC_RUNNER_LADDER_SECONDS: '0.4,0.4',
        SVC_LEASE_SECONDS: '10',
        SVC_HEARTBEAT_SECONDS: '1',
        SVC_SWEEP_SECONDS: '1',
        ...env,
      },
    })
    started.add(process)
    return process
  }
  const app: App = {
    data,
    port,
    url,
    home,
    env,
    start: (...args) => startWith(startNode, args),
    startInTerminal: (...args) => startWith(startNodeInTerminal, args),
    client: () => createClient({ baseUrl: url, token: owner().token }),
    owner,
    daemon: () => until('the daemon runs', () => findDaemon(home)),
    postgres: () => until('PostgreSQL runs', () => postmaster(data)),
    processes,
    async says(one, text) {
      const said = () => one.output().match(text) !== null
      await until(`the app says ${text}`, () => said() || one.isOver(), {
        details: one.output,
      })
      if (!said()) throw new Error(`the app ended without saying ${text}:\n${one.output()}`)
    },
    async [Symbol.asyncDispose]() {
      killAll(processes())
      await until('every process has gone', () => processes().length === 0)
      const { base } = chooseLocation(join(data, 'postgres'))
      await rm(base, { recursive: true, force: true, maxRetries: 5 })
      temporary[Symbol.dispose]()
    },
  }
  return app
}

/** The server and its backends, all of which work in the folder of the data. */
function postgresProcesses(data: string): number[] {
  const folder = join(data, 'postgres')
  return existsSync(folder) ? processesIn(join(chooseLocation(folder).base, 'cluster', 'data')) : []
}

function postmaster(data: string): number | undefined {
  const [oldest] = postgresProcesses(data).toSorted((one, other) => one - other)
  return oldest
}
