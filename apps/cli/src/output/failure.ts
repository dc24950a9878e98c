import { isServiceError } from '@svc/contracts/errors'
import { type ExitCode, exitCode, exitCodeOf } from './exit-codes.ts'
import { withStep } from './next-step.ts'
import { oneLine } from './terminal.ts'

/** A failure of the command itself: `code` is told first, `message` says what to do next. */
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
    const { code, message, next } = error
    const hint = next === undefined ? hints[code] : undefined
    const text = hint === undefined ? withStep(message, next) : `${message} ${hint}`
    return { line: oneLine(`${code}: ${text}`), exitCode: exitCodeOf(error.code) }
  }
  if (isUnreachable(error)) {
    return { line: oneLine(`unreachable: ${error.message}`), exitCode: exitCode.unreachable }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { line: oneLine(`unexpected: ${message}`), exitCode: exitCode.unexpected }
}

const hints: Record<string, string> = {
  unauthenticated: 'See which credential is used: svc whoami --help.',
}

/** By name, so that a failure can be told without loading the client. */
export function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnreachableError'
}
