import { writeSync } from 'node:fs'
import { redactCredentials } from '@svc/process/redact-credentials'

export interface RunLog {
  info: (facts: object, message: string) => void
  warn: (facts: object, message: string) => void
}

/** JSON lines on standard error. A supervisor starts often, so that it does without a logging library. */
export function createRunLog(): RunLog {
  return { info: writer('info'), warn: writer('warn') }
}

function writer(level: string) {
  return (facts: object, message: string) => {
    const line = JSON.stringify(
      { level, at: new Date().toISOString(), message, ...facts },
      readable,
    )
    try {
      writeSync(process.stderr.fd, `${redactCredentials(line)}\n`)
    } catch {
      // A full disk must not end a run for a line of its log.
    }
  }
}

function readable(_key: string, value: unknown): unknown {
  return value instanceof Error
    ? { name: value.name, message: value.message, cause: value.cause }
    : value
}
