import type { Rights } from '@svc/contracts/rights'
import { ConfigurationError, readEnvironment, variable } from '@svc/process/env'
import { z } from 'zod'
import { DaemonError, daemonExitCode } from './daemon-error.ts'

const Environment = z.object({ SVC_RUNNER_MAX_RIGHTS: variable('SVC_RUNNER_MAX_RIGHTS') })

/** The bound that `SVC_RUNNER_MAX_RIGHTS` sets. One that cannot be read is no missing bound: it throws a DaemonError. */
export function maxRightsFrom(env: NodeJS.ProcessEnv): Rights {
  try {
    return readEnvironment(Environment, env).SVC_RUNNER_MAX_RIGHTS
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new DaemonError(daemonExitCode.configuration, error.message, { cause: error })
  }
}
