/** Among whose calls the rate limit counts one: of whoever its input names, else of its token. */
export interface Counting {
  readonly among: 'agentCalls' | 'claims'
  /** Where the input names them, as in `device.fingerprint`; the first that is there. */
  readonly by: readonly string[]
}

export const byDevice = {
  among: 'claims',
  by: ['device.fingerprint'],
} as const satisfies Counting

export const bySession = { among: 'agentCalls', by: ['sessionKey'] } as const satisfies Counting

const leaseToken = 'leaseToken'
const leaseHeader = 'x-svc-lease'
const firstLease = 'leases.0.leaseToken'

/** Whether what the input names there is a lease. */
export function isLeasePath(path: string): boolean {
  return [leaseToken, leaseHeader, firstLease].includes(path)
}

/** Polls of one request, so that those of a network do not use up each other's calls. */
export const byRequest = { among: 'agentCalls', by: ['id'] } as const satisfies Counting

export const byLease = { among: 'agentCalls', by: [leaseToken] } as const satisfies Counting

/** The lease as a header, where bytes are the body. */
export const byLeaseHeader = {
  among: 'agentCalls',
  by: [leaseHeader],
} as const satisfies Counting

/** A heartbeat of one run counts for its lease, so that runs do not use up their runner's calls. */
export const byRunner = {
  among: 'agentCalls',
  by: [firstLease, 'instanceId'],
} as const satisfies Counting
