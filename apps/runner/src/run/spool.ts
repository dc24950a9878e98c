import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client } from '@svc/client/client'
import { type SpooledCall, listSpooled, readSpooledCall } from '../files/spooled-call.ts'
import { type Persistence, untilReached } from './until-reached.ts'

/** Sends in their order the calls that the agent left behind; one that is refused is dropped, one that cannot be read stays, and both are reported. */
export async function sendSpool(
  folder: string,
  client: Client,
  persistence: Persistence,
  notSent: (what: string, error: unknown) => void,
): Promise<void> {
  if (!existsSync(folder)) return
  for (const { path } of listSpooled(folder)) {
    const call = readCall(path, notSent)
    if (call === undefined) continue
    try {
      await untilReached(
        ({ signal, retry }) =>
          // The command checked the input against the contract when it kept the call.
          client.protocol(call.operation, call.input as never, {
            signal,
            retry,
            idempotencyKey: call.idempotencyKey,
          }),
        persistence,
      )
    } catch (error) {
      persistence.signal.throwIfAborted()
      notSent(call.operation, error)
    }
    rmSync(path, { force: true })
  }
}

function readCall(
  path: string,
  notSent: (what: string, error: unknown) => void,
): SpooledCall | undefined {
  try {
    return readSpooledCall(path)
  } catch (error) {
    notSent(basename(path), error)
    return undefined
  }
}
