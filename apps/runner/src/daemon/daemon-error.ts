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

const deadToken =
  'The service does not take the token of this runner any more: it ended or was revoked. Sign in with svc login, then start the runner again.'
