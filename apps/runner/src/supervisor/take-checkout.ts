import type { CallOptions } from '@svc/client/client'
import type { Assignment } from '@svc/contracts/assignment'
import type { BranchesAnswer, WantedBranch } from '@svc/contracts/runner'
import { ownIdentity } from '@svc/process/process-identity'
import { type Blocking, findBlocking } from '../git/blocking-holder.ts'
import { type CheckoutHolder, freeCheckout, holdCheckout } from '../git/checkout-holders.ts'
import type { GitOptions } from '../git/git.ts'
import { commitOf } from '../git/refs.ts'
import type { NamedCheckout } from '../git/named-checkout.ts'
import { type PlannedBranch, planCheckoutBranch, planResumedBranch } from '../git/planned-branch.ts'
import { withRepository } from '../git/repository-lock.ts'
import type { ReserveBranch } from '../git/reserved-name.ts'
import {
  type WorkingTree,
  enterWorkingTree,
  findWorkingTree,
  workingTreeInput,
} from '../git/working-tree.ts'
import { initSubmodules } from '../git/submodules.ts'
import { readWorktreeFacts, writeWorktreeFacts } from '../git/worktree-facts.ts'
import type { Timing } from '../run/order.ts'
import type { Run } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'
import { type Held, startWait } from './await-holder.ts'
import { clearStaleLocks } from './stale-locks.ts'
import type { TimeOfWork } from './time-of-work.ts'

export interface TakenCheckout {
  plan: PlannedBranch
  tree: WorkingTree
  holder: CheckoutHolder
  /** The commit at which the run begins. */
  baseSha: string
  warnings: string[]
}

export type Working = Pick<TimeOfWork, 'signal' | 'whileWaiting'>

export interface Taking {
  run: Run
  /** The run's own, or the same as seen from another resource. */
  assignment: Assignment
  /** The checkout of that resource. */
  linked: NamedCheckout
}

/**
 * Plans the branch and takes the working tree that has it, or a new one. A holder that is on its way out is waited for,
 * and what it leaves is planned with; for any other the run is given back.
 */
export async function takeCheckout(taking: Taking, options: Working): Promise<TakenCheckout> {
  const { run, assignment, linked } = taking
  const wait = startWait(run, options.signal)
  const reserve = reserveFor(taking, options)
  for (;;) {
    const resumed = await planResumedBranch(linked, assignment, options)
    const plan = resumed ?? (await planCheckoutBranch(linked, assignment, options, reserve))
    const tried = await withRepository(
      linked.checkout,
      'worktrees',
      () => tryToTake(taking, plan, options),
      options,
    )
    if (tried === undefined) continue
    if ('holder' in tried) return tried
    await options.whileWaiting(() => wait.untilFree(tried))
  }
}

function reserveFor({ run, assignment }: Taking, options: Working): ReserveBranch {
  const resourceKey = assignment.executionRequest.resourceKey ?? ''
  return async (wanted) => {
    const { branches, reserved } = await askBranches(run, { resourceKey, wanted }, options)
    if (reserved === null) throw new Error('the service reserved no name for the branch')
    return { branches, reserved }
  }
}

/** Asks for as long as the service cannot be reached, which is no time of the preparation. */
export function askBranches(
  { order, requestId, client, pace }: Run,
  asked: { resourceKey: string; wanted: WantedBranch | null },
  { signal, whileWaiting }: Working,
): Promise<BranchesAnswer> {
  const input = { id: requestId, leaseToken: order.leaseToken, ...asked }
  const ask = (how: CallOptions) => client.call('reserveBranch', input, how)
  return whileWaiting(() => untilReached(ask, { signal, pace }))
}

/**
 * The caller holds the lock of the repository. Undefined where somebody made the branch meanwhile, and it has to be planned
 * anew.
 */
async function tryToTake(
  { run, assignment, linked }: Taking,
  plan: PlannedBranch,
  options: GitOptions,
): Promise<TakenCheckout | Held | undefined> {
  const { home, timing } = run.order
  if (await wasCutMeanwhile(linked, plan, options)) return undefined
  const tree = await findWorkingTree(workingTreeInput(linked, assignment, home), plan, options)
  const blocking = await findBlocking(assignment, tree, plan.branch, options)
  if (blocking !== undefined) return heldWorkingTree(tree, blocking, timing)
  if (tree.kind === 'worktree' && !tree.isNew) clearStaleLocks(tree, run.order)
  const holder = holderOf(run, plan.branch)
  if (!tree.isNew) holdCheckout(tree.checkout, holder)
  try {
    const entered = await enterWorkingTree(linked, tree, plan, options)
    if (tree.isNew) holdCheckout(tree.checkout, holder)
    const warnings = [
      ...entered.warnings,
      ...(await complete(tree, plan, assignment.mission, options)),
    ]
    return { plan, tree, holder, baseSha: entered.baseSha, warnings }
  } catch (error) {
    freeCheckout(tree.checkout, holder)
    throw error
  }
}

/** Finishes a worktree: one of an earlier run that was killed while it made it may lack its record and its submodules. */
async function complete(
  tree: WorkingTree,
  { startSha, baseBranch }: PlannedBranch,
  { displayId }: Run['order']['assignment']['mission'],
  options: GitOptions,
): Promise<string[]> {
  const { checkout, name, kind, isNew } = tree
  if (kind === 'own' || readWorktreeFacts(checkout) !== undefined) return []
  const warnings = isNew ? [] : await initSubmodules(checkout, name, options)
  writeWorktreeFacts(checkout, { mission: displayId, startSha, baseBranch })
  return warnings
}

async function wasCutMeanwhile(
  { checkout }: NamedCheckout,
  plan: PlannedBranch,
  options: GitOptions,
) {
  if (plan.cutFrom === null) return false
  return (await commitOf(checkout, `refs/heads/${plan.branch}`, options)) !== undefined
}

/** A working tree that others hold, with the time that they have to leave it: one that may stay has none. */
function heldWorkingTree(tree: WorkingTree, { heldBy, relation }: Blocking, timing: Timing): Held {
  const patience = {
    own: 0,
    predecessor: timing.handOverSeconds,
    sibling: undefined,
    stranger: undefined,
  }
  return { tree, heldBy, patience: patience[relation] }
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
