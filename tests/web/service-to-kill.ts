import { fileURLToPath } from 'node:url'
import { secretKeys } from '@svc/domain/testing/open-process'
import { freePort } from '@svc/testing/free-port'
import { highLimits } from '@svc/testing/high-limits'
import { onTestFinished } from 'vitest'
import { type Started, startNode } from '../e2e/support/processes.ts'
import { until } from '../e2e/support/until.ts'
import { builtWebApp } from './built.ts'

const main = fileURLToPath(new URL('serve-web.ts', import.meta.url))

/** The API in a process of its own, on a port that it keeps. */
export async function openService(databaseUrl: string) {
  const port = String(await freePort())
  const folder = await builtWebApp()
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_PORT: port,
    SVC_BASE_URL: url,
    SVC_SECRET_KEYS: secretKeys,
    SVC_DRAIN_SECONDS: '0',
    ...highLimits,
  }
  return {
    url,
    async start(): Promise<Started> {
      const started = startNode(main, [folder], { env })
      onTestFinished(async () => void (await started.killNow()))
      const isReady = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await until('the service is ready', () => started.isOver() || isReady(), {
        details: started.output,
      })
      if (started.isOver()) throw new Error(started.output())
      return started
    },
  }
}
