import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
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
      await sendKept(call, client, persistence)
    } catch (error) {
      persistence.signal.throwIfAborted()
      notSent(call.operation, error)
    }
    rmSync(path, { force: true })
  }
}

/** Whether work is handed over by what the agent left behind. */
export function keepsDelivery(folder: string): boolean {
  if (!existsSync(folder)) return false
  const calls = listSpooled(folder).map(({ path }) => readCall(path, () => undefined))
  return calls.some((call) => call?.operation === 'deliver' || call?.operation === 'record-work')
}

/** A delivery waits for its checks. Nobody is there any more to correct what one shows, so it is delivered as it is. */
async function sendKept(
  call: SpooledCall,
  client: Client,
  persistence: Persistence,
): Promise<void> {
  const send = (idempotencyKey: string) =>
    untilReached(
      ({ signal, retry }) =>
        // The command checked the input against the contract when it kept the call.
        client.protocol(call.operation, call.input as never, { signal, retry, idempotencyKey }),
      persistence,
    )
  try {
    await send(call.idempotencyKey)
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'check_failed') throw error
    await send(randomUUID())
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
