import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import {
  type SpooledCall,
  bytesOf,
  listSpooled,
  readSpooledCall,
  spoolLimits,
} from '../files/spooled-call.ts'
import { type Persistence, isForbidden, isRefusal, untilReached } from './until-reached.ts'

/** Every way to name the mission of a run and its objective, the UUID first. */
export interface OwnWork {
  missions: readonly string[]
  objectives: readonly [string, ...string[]]
}

interface Outlet {
  client: Client
  persistence: Persistence
  /** Of an agent whose token is good for this alone: its calls are sent with the runner's, which is good for more. */
  only?: OwnWork | undefined
  /** Whether the service takes at this moment what the runner itself says. */
  isHeard: () => Promise<boolean>
  notSent: (what: string, error: unknown) => void
}

/** Sends in their order the calls that the agent left behind; one that is refused is dropped, one that cannot be read or is beyond the limits stays, and all are reported. */
export async function sendSpool(folder: string, outlet: Outlet): Promise<void> {
  const { persistence, only, notSent } = outlet
  for (const { path, call } of readKept(folder, notSent)) {
    try {
      await sendKept(only ? within(only, call) : call, outlet)
    } catch (error) {
      persistence.signal.throwIfAborted()
      notSent(call.operation, error)
    }
    rmSync(path, { force: true })
  }
}

/** Whether work is handed over by what the agent left behind. */
export function keepsDelivery(folder: string): boolean {
  for (const { call } of readKept(folder, () => undefined)) {
    if (call.operation === 'deliver' || call.operation === 'record-work') return true
  }
  return false
}

/**
 * The calls in their order, one after the other. An agent can write there past its `svc`: what is more than that would
 * have kept is left where it is.
 */
function* readKept(
  folder: string,
  notSent: Outlet['notSent'],
): Generator<{ path: string; call: SpooledCall }> {
  if (!existsSync(folder)) return
  const files = listSpooled(folder)
  let bytesLeft: number = spoolLimits.bytes
  for (const { path } of files.slice(0, spoolLimits.files)) {
    const bytes = bytesOf(path)
    const call = readCall(path, bytesLeft, notSent)
    if (call === undefined) continue
    bytesLeft -= bytes
    yield { path, call }
  }
  const [first, ...others] = files.slice(spoolLimits.files)
  if (first === undefined) return
  const message = `it and ${others.length} after it are more than the ${spoolLimits.files} calls that are kept`
  notSent(basename(first.path), new Error(message))
}

/** Throws for a call that names other work. Whoever has the key of a session was given it. */
function within({ missions, objectives }: OwnWork, call: SpooledCall): SpooledCall {
  const { missionId, objectiveId, sessionKey } = call.input
  if (typeof sessionKey === 'string' && !isObjectiveDisplayId(sessionKey)) return call
  const isOf = (names: readonly string[], name: unknown) =>
    name === undefined || names.some((one) => one === name)
  const isOwn =
    isOf(missions, missionId) && isOf(objectives, objectiveId) && isOf(objectives, sessionKey)
  if (!isOwn) throw new Error('it names work that is not of this run')
  // a mission alone would stand for whatever session of it is alive
  const isNamed = objectiveId !== undefined || sessionKey !== undefined
  if (isNamed || call.operation === 'add-artifact') return call
  // a title is that of an objective which is added, and a delivery cannot be taken back
  if (call.input['title'] !== undefined) throw new Error('it names no objective of this run')
  return { ...call, input: { ...call.input, objectiveId: objectives[0] } }
}

/** A delivery waits for its checks. Nobody is there any more to correct what one shows, so it is delivered as it is. */
async function sendKept(
  call: SpooledCall,
  { client, persistence, isHeard }: Outlet,
): Promise<void> {
  const send = (idempotencyKey: string) =>
    untilReached(
      ({ signal, retry }) =>
        // The command checked the input against the contract when it kept the call.
        client.protocol(call.operation, call.input as never, { signal, retry, idempotencyKey }),
      persistence,
      finalOnceHeard(isHeard),
    )
  try {
    await send(call.idempotencyKey)
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'check_failed') throw error
    await send(randomUUID())
  }
}

/**
 * A kept call needs a right of its own. Where the runner is refused as well, the call waits with all that the runner has
 * to say; one that is refused again after the runner was heard would be for ever.
 */
function finalOnceHeard(isHeard: () => Promise<boolean>): (error: unknown) => Promise<boolean> {
  let wasHeard = false
  return async (error) => {
    if (!isForbidden(error) || wasHeard) return isRefusal(error)
    wasHeard = await isHeard()
    return false
  }
}

function readCall(
  path: string,
  mostBytes: number,
  notSent: Outlet['notSent'],
): SpooledCall | undefined {
  try {
    return readSpooledCall(path, mostBytes)
  } catch (error) {
    notSent(basename(path), error)
    return undefined
  }
}
