import { EventEmitter } from 'node:events'
import { type DestinationStream, type Logger, destination, pino } from 'pino'
import { redactCredentials } from './redact-credentials.ts'

export type Log = Logger

export interface LogOptions {
  name: string
  level?: string | undefined
  /** Where the lines go; standard error when left out, so that standard output stays free for results. */
  to?: DestinationStream
}

/** Writes JSON lines in which no credential can be read, wherever it stood in the line. */
export function createLog({ name, level = 'info', to }: LogOptions): Log {
  const options = {
    name,
    level,
    base: { name, pid: process.pid },
    redact: {
      paths: ['authorization', '*.authorization', '*.*.authorization'],
      censor: '[redacted]',
    },
    hooks: { streamWrite: redactCredentials },
  }
  const stream = to ?? open(2)
  // A full disk or a closed terminal takes no lines; nobody ends because of that.
  if (stream instanceof EventEmitter) stream.on('error', () => undefined)
  return pino(options, stream)
}

/** A file that only its owner can read, for `createLog`. */
export function openLogFile(path: string): DestinationStream {
  return open(path)
}

/** Synchronous, so that the last lines are out before the process ends; what cannot be written is kept for a while. */
function open(dest: string | number): DestinationStream {
  return destination({ dest, mode: 0o600, sync: true, maxLength: 1024 * 1024 })
}
