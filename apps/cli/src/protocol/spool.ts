import * as fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { protocolContract } from '@svc/contracts/protocol'
import {
  type SpooledCall,
  type SpooledFile,
  keepSpooledCall,
  listSpooled,
  readSpooledCall,
} from '@svc/runner/files/spooled-call'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'

export const spoolLimits = { files: 100, bytes: 16 * 1024 * 1024, days: 7 } as const

/** Keeps a call that could not be sent, behind those kept before. */
export function keepCall(folder: string, call: SpooledCall): void {
  const kept = listKept(folder)
  const isKeptOnce = protocolContract(call.operation).spoolable === 'once'
  if (isKeptOnce && kept.some((file) => isSame(readCall(file.path), call))) return
  const added = Buffer.byteLength(JSON.stringify(call))
  const bytes = kept.reduce((sum, file) => sum + file.bytes, added)
  if (kept.length >= spoolLimits.files || bytes > spoolLimits.bytes) {
    throw new CommandFailure(
      'spool_full',
      'The service cannot be reached and no more calls can be kept: try again later.',
      exitCode.unreachable,
    )
  }
  keepSpooledCall(folder, call)
}

export interface SpoolOutlet {
  send(call: SpooledCall): Promise<unknown>
  /** Whether a later try may succeed: then this call and those after it stay in the spool. */
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
