/** What is measured runs in processes of its own: apps as a deployment runs them, and bare servers to compare them with. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/testing/free-port'
import { highLimits } from '@svc/testing/high-limits'

export interface BenchProcess extends AsyncDisposable {
  url: string
  pid: number
}

/** `main` is the specifier of the app's main module. `env` may be told where it will listen. It counts calls, and refuses none. */
export async function startApp(
  main: string,
  env: (url: string) => NodeJS.ProcessEnv,
): Promise<BenchProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve(main))], {
    env: {
      ...process.env,
      ...highLimits,
      SVC_PORT: String(port),
      SVC_LOG_LEVEL: 'warn',
      SVC_PARENT_WATCH: '1',
      ...env(url),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await untilItLives(child, url)
  return { url, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child) }
}

/** The module answers its first message, the order, with its port, and ends when its parent lets go of it. */
export async function forkBare(module: URL, order: object): Promise<BenchProcess> {
  // digests and times arrive as what they are
  const child = fork(fileURLToPath(module), { serialization: 'advanced' })
  child.send(order)
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function untilItLives(child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the app at ${url} ended before it answered`)
    const answer = await fetch(`${url}/livez`).catch(() => undefined)
    if (answer?.ok) return
    await delay(100)
  }
  await end(child)
  throw new Error(`the app at ${url} did not answer within 30 s`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
