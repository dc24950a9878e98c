import type { z } from 'zod'
import type { FailurePhase } from '@svc/contracts/execution-request'
import type { FailureCode } from '@svc/contracts/failure-code'
import type { RunnerStep } from '@svc/contracts/next-step'
import type { ReleaseReason } from '@svc/contracts/runner'

interface Options extends ErrorOptions {
  next?: RunnerStep
}

/** A run that cannot start, and would not on a second try either. */
export class LaunchFailure extends Error {
  override readonly name = 'LaunchFailure'
  readonly code: FailureCode
  readonly phase: z.infer<typeof FailurePhase>
  readonly next: RunnerStep | undefined

  constructor(
    code: FailureCode,
    message: string,
    phase: z.infer<typeof FailurePhase>,
    options?: Options,
  ) {
    super(message, options)
    this.code = code
    this.phase = phase
    this.next = options?.next
  }
}

interface ReleaseOptions extends Options {
  /** The checkout that has to become clean or free first, where another one than the linked one. */
  checkout?: string
  /** When a limit of the agent's provider ends. */
  until?: string
}

/** A run that is given back unstarted: another try, or another runner, may do better. */
export class LaunchRelease extends Error {
  override readonly name = 'LaunchRelease'
  readonly reason: ReleaseReason
  readonly next: RunnerStep | undefined
  readonly checkout: string | undefined
  readonly until: string | undefined

  constructor(reason: ReleaseReason, message: string, options?: ReleaseOptions) {
    super(message, options)
    this.reason = reason
    this.next = options?.next
    this.checkout = options?.checkout
    this.until = options?.until
  }
}
