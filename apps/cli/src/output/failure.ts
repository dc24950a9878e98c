import { type ErrorBody, isServiceError } from '@svc/contracts/errors'
import { type ExitCode, exitCode, exitCodeOf } from './exit-codes.ts'
import { withStep } from './next-step.ts'
import { jsonLine, oneLine } from './terminal.ts'

/** A failure of the command itself: `code` is printed first, `message` says what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code: string
  readonly exitCode: ExitCode

  constructor(code: string, message: string, exit: ExitCode, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.exitCode = exit
  }
}

export function usageFailure(message: string): CommandFailure {
  return new CommandFailure('usage', message, exitCode.usage)
}

/** One line for stderr and the exit code that goes with it. */
export function describeFailure(error: unknown): { line: string; exitCode: ExitCode } {
  if (error instanceof CommandFailure) {
    return { line: oneLine(`${error.code}: ${error.message}`), exitCode: error.exitCode }
  }
  if (isServiceError(error)) {
    return { line: oneLine(`${error.code}: ${textOf(error)}`), exitCode: exitCodeOf(error.code) }
  }
  if (isUnreachable(error)) {
    return { line: oneLine(`unreachable: ${error.message}`), exitCode: exitCode.unreachable }
  }
  return { line: oneLine(`unexpected: ${messageOf(error)}`), exitCode: exitCode.unexpected }
}

/** What went wrong and what to do next, without the code. */
export function textOf(error: unknown): string {
  if (!isServiceError(error)) return messageOf(error)
  const { code, message, details, next } = error
  const isOfRun = details?.['reason'] === 'run_over'
  return code === 'unauthenticated' && !isOfRun ? refusedToken : withStep(message, next)
}

/** The API speaks of a header, which a command sends by itself. */
const refusedToken =
  'The service does not take this token: it ended, was revoked, or is for another service. Sign in with svc login, or see which one is used: svc whoami --help.'

/** What the API answers to a refusal; the command adds codes of its own to those of the service. */
type FailureBody = Omit<ErrorBody['error'], 'code' | 'requestId'> & {
  code: string
  requestId?: string | undefined
}

/** The same for a program: one line of JSON in the shape of the API's errors. */
export function failureJson(error: unknown): string {
  return jsonLine({ error: failureBody(error) })
}

function failureBody(error: unknown): FailureBody {
  if (error instanceof CommandFailure) return { code: error.code, message: error.message }
  if (isServiceError(error)) {
    const { code, message, details, next } = error
    return { code, message, details, next, requestId: requestIdOf(error) }
  }
  return { code: isUnreachable(error) ? 'unreachable' : 'unexpected', message: messageOf(error) }
}

/** By name, so that a failure can be printed without loading the client. */
function requestIdOf(error: Error): string | undefined {
  return 'requestId' in error && typeof error.requestId === 'string' ? error.requestId : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** By name, so that a failure can be printed without loading the client. */
export function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnreachableError'
}
