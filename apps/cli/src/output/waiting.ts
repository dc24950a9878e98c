import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { requestStatuses } from '@svc/contracts/states'
import { withStep } from './next-step.ts'

/** Why a run that was given back has not started yet, and what would end it. */
export function waitingFor({ status, lastRelease }: ExecutionRequest): string | undefined {
  if (lastRelease == null || requestStatuses[status].live !== true) return undefined
  return withStep(lastRelease.detail ?? lastRelease.reason, lastRelease.next)
}
