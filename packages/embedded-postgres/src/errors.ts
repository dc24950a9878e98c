export type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'folder_not_writable'
  | 'locked'
  | 'disk_full'
  | 'no_identity'
  | 'socket_folder'
  | 'other_version'
  | 'data_broken'
  | 'settings_broken'
  | 'start_failed'

/** Its message is one sentence that says what to do; after `start_failed` the log's last lines follow. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedPostgresError'
    this.code = code
  }
}

export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']

/** Node's recursive mkdir answers ENOENT on a read-only file system. */
function isRefusedMkdir(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
}

/** Describes a failure of the file system in one sentence; anything else comes back as it is. */
export function explainFileError(error: unknown, folder: string): unknown {
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(folder)
  if (code !== undefined && (unwritable.includes(code) || isRefusedMkdir(error))) {
    const detail = error instanceof Error ? error.message : code
    const message = `The database folder ${folder} cannot be written (${detail}): choose another folder or give this user the right to write there.`
    return new EmbeddedPostgresError('folder_not_writable', message, { cause: error })
  }
  return error
}

export function diskFull(folder: string): EmbeddedPostgresError {
  const message = `The disk that holds ${folder} is full: free some space and start again; no committed data is lost.`
  return new EmbeddedPostgresError('disk_full', message)
}

export function dataBroken(data: string, why: string): EmbeddedPostgresError {
  const message = `The data directory ${data} is damaged (${why}): restore it from a backup, or move it away to start with an empty database.`
  return new EmbeddedPostgresError('data_broken', message)
}
