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
  // Synchronous, so that the last lines are out before the process ends.
  return pino(options, to ?? destination({ fd: 2, sync: true }))
}

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(svcut|svcoa|whsec|sess)_[0-9A-Za-z_+/=-]{8,}/g, '$1_[redacted]'],
  // Long enough that "the bearer of this" stays readable.
  [/\b(bearer)\s+[\w.~+/=-]{12,}/gi, '$1 [redacted]'],
  [/(\b[a-z][a-z0-9+]*:\/\/[^\s:@/"]*:)[^\s@/"]+@/gi, '$1[redacted]@'],
]

export function redactCredentials(text: string): string {
  return shapes.reduce((line, [shape, replacement]) => line.replace(shape, replacement), text)
}
