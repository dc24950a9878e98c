import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { protocolContract } from '@svc/contracts/protocol'
import {
  type SpooledCall,
  type SpooledFile,
  listSpooled,
  readSpooledCall,
} from '@svc/runner/files/spooled-call'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'

export const spoolLimits = { files: 100, bytes: 16 * 1024 * 1024, days: 7 } as const

/** Keeps a call that could not be sent, behind those kept before. */
export function keepCall(folder: string, call: SpooledCall): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = listKept(folder)
  const isKeptOnce = protocolContract(call.operation).spoolable === 'once'
  if (isKeptOnce && kept.some((file) => isSame(readCall(file.path), call))) return
  const text = JSON.stringify(call)
  const bytes = kept.reduce((sum, file) => sum + file.bytes, Buffer.byteLength(text))
  if (kept.length >= spoolLimits.files || bytes > spoolLimits.bytes) {
    throw new CommandFailure(
      'spool_full',
      'The service cannot be reached and no more calls can be kept: try again later.',
      exitCode.unreachable,
    )
  }
  writeDurably(folder, text, (kept.at(-1)?.number ?? 0) + 1)
}

export interface SpoolOutlet {
  send(call: SpooledCall): Promise<unknown>
  /** True for a failure that may pass: the call stays and so do those behind it. */
  mayPass(error: unknown): boolean
  /** Called for each call that is dropped because the service refused it or it is too old. */
  dropped(call: SpooledCall | undefined, error: unknown): void
}

/** Sends what is kept, oldest first. False when something had to stay. */
export async function sendKept(folder: string, outlet: SpoolOutlet): Promise<boolean> {
  for (const { path } of listKept(folder)) {
    const call = readCall(path)
    try {
      if (call === undefined) throw new Error('the kept call cannot be read')
      if (isTooOld(call)) throw new Error(`it was kept for more than ${spoolLimits.days} days`)
      await outlet.send(call)
    } catch (error) {
      if (outlet.mayPass(error)) return false
      outlet.dropped(call, error)
    }
    fs.rmSync(path, { force: true })
  }
  return true
}

function listKept(folder: string): (SpooledFile & { bytes: number })[] {
  if (!fs.existsSync(folder)) return []
  return listSpooled(folder).map((file) => ({
    ...file,
    bytes: fs.statSync(file.path, { throwIfNoEntry: false })?.size ?? 0,
  }))
}

function readCall(path: string): SpooledCall | undefined {
  try {
    return readSpooledCall(path)
  } catch {
    return undefined
  }
}

function isSame(kept: SpooledCall | undefined, call: SpooledCall): boolean {
  return kept?.operation === call.operation && isDeepStrictEqual(kept.input, call.input)
}

function isTooOld(call: SpooledCall): boolean {
  return Date.now() - Date.parse(call.at) > spoolLimits.days * 24 * 3_600_000
}

/** A file that has its final name is whole; two that write at once take different numbers. */
function writeDurably(folder: string, text: string, firstNumber: number): void {
  const draft = join(folder, `${randomUUID()}.tmp`)
  fs.writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkAtFreeNumber(folder, draft, firstNumber)
  } finally {
    fs.rmSync(draft, { force: true })
  }
  syncFolder(folder)
}

function linkAtFreeNumber(folder: string, draft: string, firstNumber: number): void {
  for (let number = firstNumber; ; number += 1) {
    try {
      return fs.linkSync(draft, join(folder, `${String(number).padStart(4, '0')}.json`))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
