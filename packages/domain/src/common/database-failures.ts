import { ServiceError, isServiceError } from '@svc/contracts/errors'
import { isStalePlan } from '@svc/db/statement-names'

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return String(error.code)
}

export function isRetryable(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error)) || isStalePlan(error)
}

/** Lock and statement time-outs, a server that starts or stops, a connection that broke. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (
    /^(55P03|57014|57P0[1-5]|53...|08...|25P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/.test(
      code,
    )
  ) {
    return true
  }
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered/.test(
      error.message,
    )
  )
}

/** What the database cannot do just now is `unavailable`; everything else stays what it is. */
export function translate(error: unknown): unknown {
  if (isServiceError(error)) return error
  const lasting = explainLasting(error)
  if (lasting) return lasting
  if (!isRetryable(error) && !isUnavailable(error)) return error
  return new ServiceError(
    'unavailable',
    'The database is busy or away. Try again in a moment.',
    undefined,
    {
      cause: error,
    },
  )
}

/** Failures that stay until somebody repairs their cause. */
function explainLasting(error: unknown): ServiceError | undefined {
  const code = codeOf(error)
  const refuse = (as: 'unavailable' | 'internal', message: string) =>
    new ServiceError(as, message, undefined, { cause: error })
  if (code === '53100') {
    return refuse(
      'unavailable',
      'The disk of the database is full: free some space, then try again.',
    )
  }
  if (code === '25006') {
    return refuse(
      'unavailable',
      'The database takes no changes: a standby that has not taken over yet. Try again in a moment.',
    )
  }
  if (code === 'XX001' || code === 'XX002') {
    return refuse('internal', 'The database is damaged: restore it from a backup.')
  }
  return undefined
}
