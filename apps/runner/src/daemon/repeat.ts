import { sleep } from '@svc/client/retry'
import type { RunLog } from '../run/run-log.ts'

/** Does the work at once and again after each pause. What it throws ends nothing. */
export async function repeat(
  signal: AbortSignal,
  everyMs: () => number,
  work: () => unknown,
  log: RunLog,
): Promise<void> {
  const warn = warnOnce(log, 'what is done again and again failed; trying again')
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) warn(error)
    }
    await sleep(everyMs(), signal).catch(() => undefined)
  }
}

/** An error that says the same as the one before it is not logged again. */
export function warnOnce(log: RunLog, text: string): (error: unknown) => void {
  let logged: string | undefined
  return (error) => {
    const said = String(error)
    if (said !== logged) log.warn({ err: error }, text)
    logged = said
  }
}
