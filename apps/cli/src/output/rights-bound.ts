import type { Rights } from '@svc/contracts/rights'
import { DaemonError } from '@svc/runner/daemon/daemon-error'
import { maxRightsFrom } from '@svc/runner/daemon/max-rights'
import { readOffered } from '@svc/runner/daemon/offered'
import type { Home } from '@svc/runner/files/home'
import { usageFailure } from './failure.ts'

/** What the running runner lets agents do at most; without one, what a runner would that is started from here. */
export function boundOf(home: Home, env: NodeJS.ProcessEnv): Rights {
  try {
    return readOffered(home)?.maxRights ?? maxRightsFrom(env)
  } catch (error) {
    throw error instanceof DaemonError ? usageFailure(error.message) : error
  }
}
