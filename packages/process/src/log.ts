import { EventEmitter } from 'node:events'
import { type DestinationStream, type Logger, destination, pino } from 'pino'

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

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(svcut|svcoa|svcrt|whsec|sess)_[0-9A-Za-z_+/=-]{8,}/g, '$1_[redacted]'],
  // Long enough that "the bearer of this" stays readable.
  [/\b(bearer)\s+[\w.~+/=-]{12,}/gi, '$1 [redacted]'],
  [/(\b[a-z][a-z0-9+]*:\/\/[^\s:@/"]*:)[^\s@/"]+@/gi, '$1[redacted]@'],
]

export function redactCredentials(text: string): string {
  return shapes.reduce((line, [shape, replacement]) => line.replace(shape, replacement), text)
}
