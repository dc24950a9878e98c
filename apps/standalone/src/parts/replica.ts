import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Replica {
  readonly port: number
  isReady: () => boolean
  /** It could not be reached: until it is asked again, it is not ready. */
  hasGone: () => void
}

const everyMs = 500
const patienceMs = 2_000

/** Asks it for its readiness until the signal. */
export function watchReplica(port: number, signal: AbortSignal): Replica {
  let isReady = false
  async function watch(): Promise<void> {
    while (!signal.aborted) {
      isReady = await ask(port)
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  void watch()
  return { port, isReady: () => isReady, hasGone: () => (isReady = false) }
}

/** Whether what listens at this port of this machine says that it is ready. */
export async function ask(port: number): Promise<boolean> {
  const asking = get({ host: '127.0.0.1', port, path: '/readyz', agent: false })
  asking.setTimeout(patienceMs, () => asking.destroy())
  try {
    // Node's types leave the arguments of events open
    const [answer] = (await once(asking, 'response')) as [{ statusCode?: number }]
    return answer.statusCode === 200
  } catch {
    return false
  } finally {
    asking.on('error', () => undefined).destroy()
  }
}
