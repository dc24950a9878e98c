import { type Assignment, usesWorktrees } from '@svc/contracts/assignment'
import { LaunchRelease } from '../launch-failure.ts'
import { type CheckoutHolder, isSameRun, readHolders } from './checkout-holders.ts'
import { currentBranch } from './checkout.ts'
import type { GitOptions } from './git.ts'
import type { WorkingTree } from './working-tree.ts'

export interface Blocking {
  heldBy: CheckoutHolder
  /**
   * `own`: an earlier run of the same objective. `sibling`: a run of the same mission that is live, or was launched later.
   * `predecessor`: any other run of the mission on the same branch.
   */
  relation: 'own' | 'predecessor' | 'sibling' | 'stranger'
}

/** Whoever is in the working tree and does not share it with this run. */
export async function findBlocking(
  assignment: Assignment,
  tree: WorkingTree,
  branch: string,
  options: GitOptions = {},
): Promise<Blocking | undefined> {
  if (tree.isNew) return undefined
  const { executionRequest } = assignment
  const mine = { requestId: executionRequest.id, generation: executionRequest.generation }
  const others = readHolders(tree.checkout).filter((one) => !isSameRun(one, mine))
  const isOnBranch = others.length > 0 && (await currentBranch(tree.checkout, options)) === branch
  for (const heldBy of others) {
    const relation = relationTo(assignment, heldBy, branch)
    if (relation === 'sibling' && !usesWorktrees(assignment) && isOnBranch) continue
    return { heldBy, relation }
  }
  return undefined
}

function relationTo(
  { executionRequest, siblings }: Assignment,
  holder: CheckoutHolder,
  branch: string,
): Blocking['relation'] {
  if (holder.objectiveId === executionRequest.objectiveId) return 'own'
  if (holder.missionId !== executionRequest.missionId) return 'stranger'
  const isYounger = holder.createdAt > executionRequest.createdAt
  if (isYounger || siblings.some(({ requestId }) => requestId === holder.requestId))
    return 'sibling'
  return holder.branch === branch ? 'predecessor' : 'stranger'
}

export function checkoutBusy(
  { name, checkout }: WorkingTree,
  { requestId }: CheckoutHolder,
): LaunchRelease {
  return new LaunchRelease(
    'checkout_busy',
    `The ${name} is in use by another run until that has ended.`,
    { next: { operation: 'getExecutionRequest', params: { id: requestId } }, checkout },
  )
}
