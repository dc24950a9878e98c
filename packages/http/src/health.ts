import type { HttpApp } from './create-app.ts'

type CheckReady = () => Promise<string[]>

const patienceMs = 500

/**
 * How long an app that was ready stays so while its checks are late. It is slow then, as its siblings are: sent nothing, it
 * would leave its calls to them. Decision 136.
 */
const lateMs = 5_000

/**
 * `/livez` answers as long as the process turns; `/readyz` names the checks that failed, and says no more. The checks must
 * come to an end.
 */
export function bindHealth(app: HttpApp, checkReady: CheckReady, mayBeLateMs = lateMs): void {
  const check = checkInTime(checkReady, mayBeLateMs)
  app.get('/livez', (context) => context.json({ live: true }))
  app.get('/readyz', async (context) => {
    const failed = context.env.life?.isDraining() ? ['draining'] : await check()
    return context.json({ ready: failed.length === 0, failed }, failed.length === 0 ? 200 : 503)
  })
}

/** However many ask, one check runs at a time: what is slow is asked no more for it. */
function checkInTime(checkReady: CheckReady, mayBeLateMs: number): CheckReady {
  let passedAt = -Infinity
  let running: Promise<string[]> | undefined

  async function run(): Promise<string[]> {
    const failed = await checkReady().catch(() => ['check'])
    if (failed.length === 0) passedAt = performance.now()
    running = undefined
    return failed
  }

  return () => {
    const { promise: late, resolve } = Promise.withResolvers<string[]>()
    const timer = setTimeout(() => {
      resolve(performance.now() - passedAt < mayBeLateMs ? [] : ['time'])
    }, patienceMs)
    return Promise.race([(running ??= run()), late]).finally(() => clearTimeout(timer))
  }
}
