/** Something that a person can put right; its message is one sentence and says how. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/** Errors of other packages whose message is such a sentence already. */
const spoken = [
  'Fault',
  'EmbeddedPostgresError',
  'ConfigurationError',
  'ListenError',
  'ServiceError',
  'SetUpError',
  'TransferError',
  'UnusableFile',
]

export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (spoken.includes(error.name)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (isDiskFull(code)) {
    return 'The disk is full: free some space and start again; no committed data is lost.'
  }
  if (code === 'XX001' || code === 'XX002') {
    return `The database is damaged (${error.message}): restore it from a backup, or move it away to start with an empty database.`
  }
  return undefined
}

/** Whether this code, of the system or of PostgreSQL, says that the disk is full. */
function isDiskFull(code: string): boolean {
  return ['ENOSPC', 'EDQUOT', '53100'].includes(code)
}
