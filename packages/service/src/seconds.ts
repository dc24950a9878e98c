import type { DomainSeconds } from '@svc/domain/domain'
import { variable } from '@svc/process/env'
import { z } from 'zod'

/** The intervals of leases and sweeps: read by whoever grants and ends leases. */
export const SecondsEnvironment = z.object({
  SVC_LEASE_SECONDS: variable('SVC_LEASE_SECONDS'),
  SVC_HEARTBEAT_SECONDS: variable('SVC_HEARTBEAT_SECONDS'),
  SVC_ATTACH_SECONDS: variable('SVC_ATTACH_SECONDS'),
  SVC_SWEEP_SECONDS: variable('SVC_SWEEP_SECONDS'),
  SVC_STALE_SECONDS: variable('SVC_STALE_SECONDS'),
  SVC_LOST_SECONDS: variable('SVC_LOST_SECONDS'),
  SVC_CANCEL_SECONDS: variable('SVC_CANCEL_SECONDS'),
})

export function domainSeconds(environment: z.infer<typeof SecondsEnvironment>): DomainSeconds {
  return {
    lease: environment.SVC_LEASE_SECONDS,
    heartbeat: environment.SVC_HEARTBEAT_SECONDS,
    attach: environment.SVC_ATTACH_SECONDS,
    sweep: environment.SVC_SWEEP_SECONDS,
    stale: environment.SVC_STALE_SECONDS,
    lost: environment.SVC_LOST_SECONDS,
    cancel: environment.SVC_CANCEL_SECONDS,
  }
}
