import { isServiceError } from '@svc/contracts/errors'
import { commandOf, purposeOf } from '@svc/contracts/next-step'

/** A daemon that cannot go on; `exitCode` is what its process ends with. */
export class DaemonError extends Error {
  override readonly name = 'DaemonError'
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

export const daemonExitCode = {
  done: 0,
  unexpected: 1,
  configuration: 2,
  credential: 3,
  unknownProject: 4,
  notPossible: 5,
} as const

/** What a refused claim or heartbeat means for the daemon; undefined when it may pass. */
export function fatalRefusal(error: unknown): DaemonError | undefined {
  if (!isServiceError(error)) return undefined
  const { code, message } = error
  const options = { cause: error }
  if (code === 'unauthenticated') {
    return new DaemonError(daemonExitCode.credential, deadToken, options)
  }
  if (code === 'forbidden') {
    const text = `The service refuses the token: ${message}`
    return new DaemonError(daemonExitCode.credential, text, options)
  }
  if (code === 'not_found') return new DaemonError(daemonExitCode.unknownProject, message, options)
  if (code === 'runner_removed')
    return new DaemonError(daemonExitCode.notPossible, message, options)
  if (code === 'upgrade_required') {
    const how = error.next && ` ${purposeOf(error.next)}: ${commandOf(error.next)}`
    return new DaemonError(daemonExitCode.notPossible, `${message}${how ?? ''}`, options)
  }
  if (code === 'validation_failed') {
    return new DaemonError(daemonExitCode.configuration, message, options)
  }
  return undefined
}

/** Whether somebody has to sign in, or has to be given a right, before anything of this runner is heard again. */
export function isOfToken(failure: Error): boolean {
  return failure instanceof DaemonError && failure.exitCode === daemonExitCode.credential
}

/** While there are runs, before the daemon ends with that failure. */
export function whatFollows({ message }: Error, isOfItsToken: boolean): string {
  return isOfItsToken
    ? `${message} Its agents are ended when their leases are over; what they leave stays where it is, and is reported by the runner once it is started again.`
    : `${message} The runner waits for its runs, and then ends.`
}

const deadToken =
  'The service does not take the token of this runner any more: it ended or was revoked. Sign in with svc login, then start the runner again.'
