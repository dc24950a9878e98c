import { redactCredentials } from '@svc/process/log'
import type { RunLog } from './run.ts'

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
    process.stderr.write(`${redactCredentials(line)}\n`)
  }
}

function readable(_key: string, value: unknown): unknown {
  return value instanceof Error
    ? { name: value.name, message: value.message, cause: value.cause }
    : value
}
