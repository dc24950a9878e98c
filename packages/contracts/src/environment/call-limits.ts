import { callsAMinute } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** How much one caller may call. */
export const callLimitVariables = {
  SVC_LIMIT_READS: {
    description: 'reads a minute of one token; 0 or off, here and below: no limit',
    default: '600',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_WRITES: {
    description: 'writes a minute of one token',
    default: '120',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_AGENT_CALLS: {
    description: 'calls a minute of one agent session, lease or runner, not counted to the token',
    default: '120',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_CLAIMS: {
    description: 'claims a minute of one device, not counted to the token',
    default: '60',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_KEYED_CALLS: {
    description: 'calls a minute of all sessions, leases, runners and devices of one token',
    default: '6000',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_WORKSPACE_CALLS: {
    description: 'calls a minute of one workspace; those with a lease are not counted',
    default: '6000',
    serverOnly: true,
    schema: callsAMinute,
  },
  SVC_LIMIT_FAILED_AUTHENTICATIONS: {
    description:
      'calls a minute without a valid token from one address, of IPv6 from one /64; of the endpoints that need none, of each',
    default: '20',
    serverOnly: true,
    schema: callsAMinute,
  },
} as const satisfies Record<string, EnvironmentVariable>
