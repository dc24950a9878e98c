import * as fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { protocolContract } from '@svc/contracts/protocol'
import {
  type SpooledCall,
  SpoolFull,
  type SpooledFile,
  keepSpooledCall,
  listSpooled,
  readSpooledCall,
} from '@svc/runner/files/spooled-call'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'

const mostDays = 7

/** Keeps a call that could not be sent, behind those kept before. */
export function keepCall(folder: string, call: SpooledCall): void {
  const isKeptOnce = protocolContract(call.operation).spoolable === 'once'
  if (isKeptOnce && listKept(folder).some(({ path }) => isSame(readCall(path), call))) return
  try {
    keepSpooledCall(folder, call)
  } catch (error) {
    if (!(error instanceof SpoolFull)) throw error
    throw new CommandFailure(
      'spool_full',
      'The service cannot be reached and no more calls can be kept: try again later.',
      exitCode.unreachable,
    )
  }
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
      if (isTooOld(call)) throw new Error(`it was kept for more than ${mostDays} days`)
      await outlet.send(call)
    } catch (error) {
      if (outlet.mayPass(error)) return false
      outlet.dropped(call, error)
    }
    fs.rmSync(path, { force: true })
  }
  return true
}

function listKept(folder: string): SpooledFile[] {
  return fs.existsSync(folder) ? listSpooled(folder) : []
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
  return Date.now() - Date.parse(call.at) > mostDays * 24 * 3_600_000
}
