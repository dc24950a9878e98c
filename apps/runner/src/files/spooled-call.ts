import { join } from 'node:path'
import { z } from 'zod'
import { readUntrusted } from './durable-file.ts'

const mostBytes = 16 * 1024 * 1024

export const SpooledOperation = z.enum(['update', 'add-artifact', 'deliver'])
export type SpooledOperation = z.infer<typeof SpooledOperation>

/** A call of an agent that its `svc` could not send: kept in `<TMPDIR>/spool/<run>/<number>.json`, sent in that order. */
export const SpooledCall = z.strictObject({
  operation: SpooledOperation,
  input: z.record(z.string(), z.unknown()),
  /** Of the first try, so that a call which did arrive is not done twice. */
  idempotencyKey: z.string(),
  at: z.iso.datetime(),
})
export type SpooledCall = z.infer<typeof SpooledCall>

export function spoolFolder(tmpDirectory: string, name: string): string {
  return join(tmpDirectory, 'spool', name)
}

/** Throws for what is no such call; the agent can write there. */
export function readSpooledCall(path: string): SpooledCall {
  return SpooledCall.parse(JSON.parse(readUntrusted(path, mostBytes) ?? 'null'))
}
