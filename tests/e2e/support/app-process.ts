import { freePort } from '@svc/testing/free-port'
import { type Started, startNode } from './processes.ts'
import { programs } from './programs.ts'
import { until } from './until.ts'

export type AppName = 'api' | 'mcp-gateway' | 'dispatcher'

/** An app of the service in a process of its own, as a deployment runs it. */
export interface AppProcess extends AsyncDisposable {
  readonly url: string
  /** Runs it, again when the one before has gone. Resolves when it is ready. */
  start: () => Promise<Started>
  /** The newest. */
  started: () => Started
}

/** The program of another version, and where it is asked whether it answers. */
interface AppChoice {
  main?: string
  health?: '/livez' | '/readyz'
}

/** On a port that it keeps; `environment` may be told where that is. */
export async function openApp(
  app: AppName,
  environment: (url: string) => NodeJS.ProcessEnv,
  { main = programs[app], health = '/readyz' }: AppChoice = {},
): Promise<AppProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { SVC_PORT: String(port), SVC_DRAIN_SECONDS: '0', ...environment(url) }
  let newest: Started | undefined
  return {
    url,
    async start() {
      const started = startNode(main, [], { env })
      newest = started
      // however slowly it starts, it gets ready or ends
      await until(`${app} is ready`, () => isReady(url + health, started), { seconds: Infinity })
      return started
    },
    started() {
      if (newest === undefined) throw new Error(`start the ${app} first`)
      return newest
    },
    async [Symbol.asyncDispose]() {
      newest?.kill()
      await newest?.ended
    },
  }
}

async function isReady(url: string, started: Started): Promise<boolean> {
  if (started.isOver()) throw new Error(`the process ended:\n${started.output()}`)
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
