/** What is measured runs in processes of its own: apps as a deployment runs them, and bare servers to compare them with. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { highLimits } from '@svc/testing/high-limits'
import { type AppName, openApp } from '@svc/tests/e2e/app-process'

export interface BenchProcess extends AsyncDisposable {
  url: string
  pid: number
}

/** `env` may be told where it will listen. It counts calls, and refuses none. */
export async function startApp(
  name: AppName,
  env: (url: string) => NodeJS.ProcessEnv,
): Promise<BenchProcess> {
  const app = await openApp(name, (url) => ({ ...highLimits, SVC_LOG_LEVEL: 'warn', ...env(url) }))
  const { pid } = await app.start()
  return { ...app, pid }
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
