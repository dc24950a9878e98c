import type { HttpApp } from './create-app.ts'

const patienceMs = 500

/** `/livez` answers as long as the process turns; `/readyz` names the checks that failed, and says no more. */
export function bindHealth(app: HttpApp, checkReady: () => Promise<string[]>): void {
  app.get('/livez', (context) => context.json({ live: true }))
  app.get('/readyz', async (context) => {
    const failed = context.env.life?.isDraining() ? ['draining'] : await checkInTime(checkReady)
    return context.json({ ready: failed.length === 0, failed }, failed.length === 0 ? 200 : 503)
  })
}

async function checkInTime(checkReady: () => Promise<string[]>): Promise<string[]> {
  const { promise: late, resolve } = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => resolve(['time']), patienceMs)
  const checks = checkReady().catch(() => ['check'])
  return Promise.race([checks, late]).finally(() => clearTimeout(timer))
}
