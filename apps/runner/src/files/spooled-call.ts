import { randomInt } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { IdempotencyKeyText } from '@svc/contracts/idempotency-key'
import { spoolableOperations } from '@svc/contracts/protocol'
import { readUntrusted } from '@svc/process/untrusted-file'
import { createDurably } from './durable-file.ts'

/** The most that is kept of one run, and sent of what its agent has left. */
export const spoolLimits = { files: 100, bytes: 16 * 1024 * 1024 } as const

/**
 * A call of an agent that its `svc` could not send: kept in `<TMPDIR>/spool/<run>/<number>.json` and sent in that
 * order, by the next `svc`, or by the supervisor when the agent is gone.
 */
export const SpooledCall = z.strictObject({
  operation: z.enum(spoolableOperations),
  input: z.record(z.string(), z.unknown()),
  /** The key of the first try, so that a call which did arrive is not done twice. */
  idempotencyKey: IdempotencyKeyText,
  at: z.iso.datetime(),
})
export type SpooledCall = z.infer<typeof SpooledCall>

/** `name` is the request of the run, or stands for a session without one. */
export function spoolFolder(tmpDirectory: string, name: string): string {
  return join(tmpDirectory, 'spool', name)
}

export interface SpooledFile {
  path: string
  number: number
}

/** The names of the kept calls, in the order in which they were kept. */
export function listSpooled(folder: string): SpooledFile[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9]+\.json$/.test(name))
    .map((name) => ({ path: join(folder, name), number: Number.parseInt(name, 10) }))
    .toSorted((one, other) => one.number - other.number)
}

/** Throws for what is no such call, or a larger one; the agent can write there. */
export function readSpooledCall(path: string, mostBytes: number = spoolLimits.bytes): SpooledCall {
  return SpooledCall.parse(JSON.parse(readUntrusted(path, mostBytes) ?? 'null'))
}

/** As many calls are kept as may be. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'

  constructor() {
    super('no more calls can be kept')
  }
}

/**
 * Keeps a call behind those that are kept; two that are kept at once take different numbers. None is used again: whoever
 * has sent a call removes the file of its name, and another may have been kept since.
 */
export function keepSpooledCall(folder: string, call: SpooledCall): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const text = JSON.stringify(call)
  const kept = listSpooled(folder)
  if (kept.length >= spoolLimits.files) throw new SpoolFull()
  const bytes = kept.reduce((sum, { path }) => sum + bytesOf(path), Buffer.byteLength(text))
  if (bytes > spoolLimits.bytes) throw new SpoolFull()
  const last = kept.at(-1)?.number ?? 0
  // the time, and something of its own for a clock that was set back
  let number = Math.max(last + 1, Date.now() * 1000 + randomInt(1000))
  if (!Number.isSafeInteger(number)) throw new Error(`no call can be kept behind number ${last}`)
  while (!createDurably(join(folder, `${number}.json`), text)) number += 1
}

/** None where another process has just sent and removed it. */
export function bytesOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
}
