import type { z } from 'zod'
import type { FailurePhase } from '@svc/contracts/execution-request'
import type { FailureCode } from '@svc/contracts/failure-code'
import type { ReleaseReason } from '@svc/contracts/runner'

/** A run that cannot start, and would not on a second try either. */
export class LaunchFailure extends Error {
  override readonly name = 'LaunchFailure'
  readonly code: FailureCode
  readonly phase: z.infer<typeof FailurePhase>

  constructor(
    code: FailureCode,
    message: string,
    phase: z.infer<typeof FailurePhase>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.phase = phase
  }
}

/** A run that is given back unstarted: another try, or another runner, may do better. */
export class LaunchRelease extends Error {
  override readonly name = 'LaunchRelease'
  readonly reason: ReleaseReason

  constructor(reason: ReleaseReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
