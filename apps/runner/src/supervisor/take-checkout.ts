import type { CallOptions } from '@svc/client/client'
import { ownIdentity } from '@svc/process/process-identity'
import { findBlocking } from '../git/blocking-holder.ts'
import { type CheckoutHolder, freeCheckout, holdCheckout } from '../git/checkout-holders.ts'
import type { GitOptions } from '../git/git.ts'
import { commitOf } from '../git/refs.ts'
import type { Place } from '../git/place.ts'
import { type PlannedBranch, planCheckoutBranch, planResumedBranch } from '../git/planned-branch.ts'
import { withRepository } from '../git/repository-lock.ts'
import type { ReserveBranch } from '../git/reserved-name.ts'
import { type Spot, enterSpot, findSpot, spotInput } from '../git/spot.ts'
import { initSubmodules } from '../git/submodules.ts'
import { readWorktreeFacts, writeWorktreeFacts } from '../git/worktree-facts.ts'
import type { Run } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'
import { type Held, startWait } from './await-holder.ts'
import { clearLeftLocks } from './left-locks.ts'
import type { TimeOfWork } from './time-of-work.ts'

export interface TakenCheckout {
  plan: PlannedBranch
  spot: Spot
  holder: CheckoutHolder
  /** The commit at which the run begins. */
  baseSha: string
  warnings: string[]
}

export type Working = Pick<TimeOfWork, 'signal' | 'whileWaiting'>

/**
 * Plans the branch and takes the working tree that has it, or a new one. A holder that is on its way out is waited for,
 * and what it leaves is planned with; for any other the run is given back.
 */
export async function takeCheckout(
  run: Run,
  linked: Place,
  options: Working,
): Promise<TakenCheckout> {
  const { assignment } = run.order
  const wait = startWait(run, options.signal)
  const reserve = reserveFor(run, options)
  for (;;) {
    const resumed = await planResumedBranch(linked, assignment, options)
    const plan = resumed ?? (await planCheckoutBranch(linked, assignment, options, reserve))
    const tried = await withRepository(
      linked.checkout,
      'worktrees',
      () => tryToTake(run, linked, plan, options),
      options,
    )
    if (tried === undefined) continue
    if ('holder' in tried) return tried
    await options.whileWaiting(() => wait.untilFree(tried))
  }
}

/** Asks for as long as the service cannot be reached, which is no time of the preparation. */
function reserveFor({ order, requestId, client, pace }: Run, options: Working): ReserveBranch {
  const { leaseToken, assignment } = order
  const resourceKey = assignment.executionRequest.resourceKey ?? ''
  const { signal } = options
  return (wanted) => {
    const input = { id: requestId, leaseToken, resourceKey, wanted }
    const ask = (how: CallOptions) => client.call('reserveBranch', input, how)
    return options.whileWaiting(() => untilReached(ask, { signal, pace }))
  }
}

/** Nobody else decides about this repository meanwhile. Undefined: the branch came to be, and is to be planned anew. */
async function tryToTake(
  run: Run,
  linked: Place,
  plan: PlannedBranch,
  options: GitOptions,
): Promise<TakenCheckout | Held | undefined> {
  const { assignment, home } = run.order
  if (await wasCutMeanwhile(linked, plan, options)) return undefined
  const spot = await findSpot(spotInput(linked, assignment, home), plan, options)
  const held = await findHeld(run, spot, plan.branch, options)
  if (held !== undefined) return held
  if (spot.kind === 'worktree' && !spot.isNew) clearLeftLocks(spot, run.order)
  const holder = holderOf(run, plan.branch)
  if (!spot.isNew) holdCheckout(spot.checkout, holder)
  try {
    const entered = await enterSpot(linked, spot, plan, options)
    if (spot.isNew) holdCheckout(spot.checkout, holder)
    const warnings = [
      ...entered.warnings,
      ...(await complete(spot, plan, assignment.mission, options)),
    ]
    return { plan, spot, holder, baseSha: entered.baseSha, warnings }
  } catch (error) {
    freeCheckout(spot.checkout, holder)
    throw error
  }
}

/** One that an earlier run made, and was killed before it said what for, may lack its submodules too. */
async function complete(
  spot: Spot,
  { startSha, baseBranch }: PlannedBranch,
  { displayId }: Run['order']['assignment']['mission'],
  options: GitOptions,
): Promise<string[]> {
  const { checkout, name, kind, isNew } = spot
  if (kind === 'own' || readWorktreeFacts(checkout) !== undefined) return []
  const warnings = isNew ? [] : await initSubmodules(checkout, name, options)
  writeWorktreeFacts(checkout, { mission: displayId, startSha, baseBranch })
  return warnings
}

async function wasCutMeanwhile({ checkout }: Place, plan: PlannedBranch, options: GitOptions) {
  if (plan.cutFrom === null) return false
  return (await commitOf(checkout, `refs/heads/${plan.branch}`, options)) !== undefined
}

/** With the time that whoever is in the spot has to go: one that may stay has none. */
async function findHeld(
  { order }: Run,
  spot: Spot,
  branch: string,
  options: GitOptions,
): Promise<Held | undefined> {
  const blocking = await findBlocking(order.assignment, spot, branch, options)
  if (blocking === undefined) return undefined
  const { heldBy, relation } = blocking
  const patience = {
    own: 0,
    predecessor: order.timing.handOverSeconds,
    sibling: undefined,
    stranger: undefined,
  }
  return { spot, heldBy, patience: patience[relation] }
}

function holderOf(run: Run, branch: string): CheckoutHolder {
  const { executionRequest } = run.order.assignment
  return {
    requestId: run.requestId,
    generation: run.generation,
    missionId: executionRequest.missionId,
    objectiveId: executionRequest.objectiveId,
    createdAt: executionRequest.createdAt,
    branch,
    runFolder: run.folder,
    supervisor: ownIdentity(),
  }
}
