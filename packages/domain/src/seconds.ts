import { environmentVariables } from '@svc/contracts/environment'
import type { DomainSeconds } from './domain.ts'

const defaultOf = (row: { default: string }) => Number(row.default)

/** What stands where nothing is set. */
export const defaultSeconds: DomainSeconds = {
  lease: defaultOf(environmentVariables.SVC_LEASE_SECONDS),
  heartbeat: defaultOf(environmentVariables.SVC_HEARTBEAT_SECONDS),
  attach: defaultOf(environmentVariables.SVC_ATTACH_SECONDS),
  sweep: defaultOf(environmentVariables.SVC_SWEEP_SECONDS),
  stale: defaultOf(environmentVariables.SVC_STALE_SECONDS),
  lost: defaultOf(environmentVariables.SVC_LOST_SECONDS),
  cancel: defaultOf(environmentVariables.SVC_CANCEL_SECONDS),
}
