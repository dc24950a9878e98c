import { seconds } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** How long the service waits for runs, agents and sessions. */
export const timingVariables = {
  SVC_LEASE_SECONDS: {
    description: 'how long a claimed request is held without a sign of life',
    default: '60',
    serverOnly: true,
    schema: seconds,
  },
  SVC_HEARTBEAT_SECONDS: {
    description: 'how often a runner reports its leases',
    default: '15',
    serverOnly: true,
    schema: seconds,
  },
  SVC_ATTACH_SECONDS: {
    description: 'how long a launched agent may take to attach',
    default: '600',
    serverOnly: true,
    schema: seconds,
  },
  SVC_SWEEP_SECONDS: {
    description: 'how often leases and sessions are looked through',
    default: '5',
    serverOnly: true,
    schema: seconds,
  },
  SVC_STALE_SECONDS: {
    description: 'silence after which a session is stale',
    default: '300',
    serverOnly: true,
    schema: seconds,
  },
  SVC_LOST_SECONDS: {
    description: 'silence after which a session is lost',
    default: '900',
    serverOnly: true,
    schema: seconds,
  },
  SVC_CANCEL_SECONDS: {
    description: 'how long a cancelled run may take to end',
    default: '60',
    serverOnly: true,
    schema: seconds,
  },
} as const satisfies Record<string, EnvironmentVariable>
