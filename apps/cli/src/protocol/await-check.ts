import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { checkHintPaths, leaveCheckHint } from '@svc/runner/files/check-hint'
import { type Cli, say } from '../cli.ts'
import { orNothing } from './run-file.ts'

const firstMs = 200
const mostMs = 5_000
const sayEveryMs = 30_000

/**
 * Repeats a delivery while the checks before it run, and says so on stderr. The supervisor of the run is notified at
 * once, by a hint in the folder of the run. Cut off by whoever called the command, its next call joins the same check.
 */
export async function awaitCheck<T>(
  cli: Cli,
  send: () => Promise<T>,
  { waitMs = Infinity }: { waitMs?: number } = {},
): Promise<T> {
  const began = performance.now()
  let said = -Infinity
  for (let pauseMs = firstMs; ; pauseMs = Math.min(mostMs, pauseMs * 1.6)) {
    try {
      return await send()
    } catch (error) {
      const waited = performance.now() - began
      if (!isRunning(error) || waited + pauseMs > waitMs) throw error
      notifySupervisor(cli.env)
      if (waited - said >= sayEveryMs) {
        say(cli, progressOf(error, waited))
        said = waited
      }
      await delay(pauseMs, undefined, { signal: cli.signal })
    }
  }
}

function isRunning(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code === 'check_running'
}

function progressOf({ details }: ServiceError, waitedMs: number): string {
  const { names } = details ?? {}
  const which = Array.isArray(names) ? names.join(', ') : 'its check'
  const since = waitedMs < 1_000 ? '' : ` (${Math.round(waitedMs / 1_000)} s)`
  return `waiting for ${which} before the delivery${since}`
}

/** Does nothing where no runner started this agent: then there is no supervisor. */
function notifySupervisor(env: NodeJS.ProcessEnv): void {
  const tmpDirectory = orNothing(env['SVC_TMPDIR'])
  if (tmpDirectory === undefined || !env['SVC_EXECUTION_REQUEST_ID']) return
  const workingDirectory = orNothing(env['SVC_WORKING_DIRECTORY'])
  leaveCheckHint(checkHintPaths({ tmpDirectory, workingDirectory }))
}
