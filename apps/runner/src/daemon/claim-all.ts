import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { sleep, waitMs } from '@svc/client/retry'
import type { ClaimAnswer } from '@svc/contracts/runner'
import { noteReported } from '../files/holds.ts'
import { hasRunFolder } from '../run/run-folder.ts'
import { paceFor } from '../run/until-reached.ts'
import { claimBody, orderFrom } from './claim.ts'
import { fatalRefusal } from './daemon-error.ts'
import { type Giver, refuseOrder } from './give-back.ts'
import { offerOf } from './offer.ts'
import { type UnusableClaim, readClaim } from './read-claim.ts'
import { startRun } from './start-run.ts'
import { type DaemonOptions, type State, drain } from './state.ts'

const claimMs = 45_000

/** Until the daemon is drained or, with `once`, until the run that it claimed is over. */
export async function claimAll(state: State): Promise<void> {
  const { runs, context, options } = state
  const { signal } = state.draining
  let unusable = 0
  while (!signal.aborted) {
    if (!hasRoom(state)) {
      await runs.changed(200)
      continue
    }
    const answer = await claim(state)
    if (answer === undefined) return
    state.isKnown = true
    if ('problem' in answer) {
      unusable += 1
      await refuseOrder({ ...giver(state), runner: context.identity.device.label }, answer)
      if (isOnce(options)) return
      await pauseAfter(state, unusable)
      continue
    }
    state.heartbeatSeconds = answer.heartbeatSeconds
    if (answer.directives.some(({ type }) => type === 'drain')) drain(state)
    const order = orderFrom(context, state.agents, answer)
    if (order === undefined) {
      if (context.ephemeral && answer.waited) return
      await sleep(answer.nextPollSeconds * 1000, signal).catch(() => undefined)
      continue
    }
    const { id, generation } = order.assignment.executionRequest
    if (hasRunFolder(context.home, id, generation)) {
      unusable += 1
      await pauseAfter(state, unusable)
      continue
    }
    unusable = 0
    const folder = await startRun({ ...giver(state), runs, env: state.env }, order)
    if (!isOnce(options)) continue
    while (folder !== undefined && !signal.aborted && !runs.isOver(folder)) await runs.changed(200)
    return
  }
}

function isOnce({ once = false, ephemeral = false }: DaemonOptions): boolean {
  return once || ephemeral
}

export function hasRoom({ runs, max }: State): boolean {
  return runs.running() < max && runs.starting() < availableParallelism()
}

/** One claim, asked under its id until it is answered; undefined once the daemon is drained. */
async function claim(state: State): Promise<ClaimAnswer | UnusableClaim | undefined> {
  const { context, runs, max, client, watch } = state
  const { signal } = state.draining
  const claimId = randomUUID()
  for (let failures = 1; !signal.aborted; failures += 1) {
    const changed = state.changed.signal
    const capacity = { max, running: runs.running() }
    const ready = watch.changed()
    const offer = offerOf(context.home, state.agents)
    const report = claimBody(context, claimId, offer, capacity)
    const body = { ...report, ...(ready.length > 0 && { changed: ready }) }
    try {
      const answer = await client.call('claimExecutionRequest', body, {
        signal: AbortSignal.any([signal, changed, AbortSignal.timeout(claimMs)]),
        retry: { attempts: 1 },
      })
      watch.reported(ready)
      noteReported(context.home, offer.ended)
      return readClaim(answer, context)
    } catch (error) {
      if (signal.aborted) return undefined
      if (changed.aborted) continue
      const fatal = fatalRefusal(error)
      if (fatal !== undefined) {
        drain(state, fatal)
        return undefined
      }
      state.options.log.warn({ err: error }, 'the service did not answer a claim')
      await pauseAfter(state, failures)
    }
  }
  return undefined
}

function giver({ client, options, draining, heartbeatSeconds }: State): Giver {
  return { client, log: options.log, signal: draining.signal, heartbeatSeconds }
}

async function pauseAfter({ heartbeatSeconds, draining }: State, failures: number): Promise<void> {
  const pauseMs = waitMs(failures, paceFor(heartbeatSeconds), null)
  await sleep(pauseMs, draining.signal).catch(() => undefined)
}
