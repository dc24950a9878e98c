import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { whyReleased } from '@svc/contracts/run-end'
import { withLocalTimes } from './local-time.ts'
import { withStep } from './next-step.ts'

/** Why a run that was given back has not started yet, and what would end it. */
export function waitingFor(run: ExecutionRequest): string | undefined {
  const released = whyReleased(run)
  return released === undefined
    ? undefined
    : withStep(withLocalTimes(released), run.lastRelease?.next)
}
