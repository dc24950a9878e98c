import type { Assignment, PreparedOther } from '@svc/contracts/assignment'
import { checkoutState } from '../files/resources.ts'
import { type CheckoutHolder, freeCheckout } from '../git/checkout-holders.ts'
import { isRepository } from '../git/checkout.ts'
import { gitFolderOf, gitPath } from '../git/git.ts'
import { nameCheckout } from '../git/named-checkout.ts'
import { missedWork } from '../git/planned-branch.ts'
import { excludeScratchFolder } from '../git/scratch-folder.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { type Working, takeCheckout } from './take-checkout.ts'
import { startTimeOfWork } from './time-of-work.ts'

/** Waiting for other runs is not counted: each of them is given its own time. */
const checkoutMs = 5 * 60_000

/** A working tree in which the run is, on its branch in one resource. */
export interface PreparedResource {
  prepared: PreparedOther
  holder: CheckoutHolder
  /** Where the repository keeps what is committed. */
  gitFolder: string
  /** Where Git keeps what is of this working tree alone, such as what is staged; the same in a checkout. */
  treeFolder: string
  warnings: string[]
}

/** Asks for the assignment once the time has begun: the run's own, or the same as seen from another resource. */
export async function prepareResource(
  run: Run,
  resourceKey: string,
  assignmentFor: (options: Working) => Assignment | Promise<Assignment>,
  signal: AbortSignal,
): Promise<PreparedResource> {
  using time = startTimeOfWork(checkoutMs)
  const { whileWaiting } = time
  const options = { signal: AbortSignal.any([signal, time.signal]), whileWaiting }
  try {
    const checkout = await requireCheckout(run, resourceKey)
    return await prepareCheckout(run, checkout, await assignmentFor(options), options)
  } catch (error) {
    if (signal.aborted || !time.signal.aborted) throw error
    throw new LaunchRelease('network', 'The checkout was not ready within 5 minutes.', {
      cause: error,
    })
  }
}

async function prepareCheckout(
  run: Run,
  checkout: string,
  assignment: Assignment,
  options: Working,
): Promise<PreparedResource> {
  const linked = nameCheckout(checkout, assignment, run.order.device.label)
  await excludeScratchFolder(linked.checkout)
  const taken = await takeCheckout({ run, assignment, linked }, options)
  const { plan, tree, holder, baseSha, warnings } = taken
  try {
    const missed = await missedWork(tree, assignment, baseSha, options)
    const prepared = {
      resourceKey: assignment.executionRequest.resourceKey ?? '',
      workingDirectory: tree.checkout,
      branch: plan.branch,
      missionBranch: plan.missionBranch,
      startSha: plan.startSha,
      // the changes of a run that resumes another are counted from where that one began
      baseSha: (plan.isResumed && assignment.resume?.prepared?.baseSha) || baseSha,
      checkout: tree.kind,
    }
    const gitFolder = await gitFolderOf(tree.checkout)
    const treeFolder = gitPath(tree.checkout, '') ?? gitFolder
    return { prepared, holder, gitFolder, treeFolder, warnings: [...warnings, ...missed] }
  } catch (error) {
    freeCheckout(tree.checkout, holder)
    throw error
  }
}

async function requireCheckout(run: Run, resourceKey: string): Promise<string> {
  const path = run.order.checkouts[resourceKey]
  const state = path === undefined ? 'missing' : checkoutState(path)
  if (path !== undefined && state === 'usable' && (await isRepository(path))) return path
  throw new LaunchFailure(
    'bad_working_directory',
    path === undefined
      ? `Resource ${resourceKey} is not linked on the machine of its runner.`
      : `${path} is not a Git checkout that can be written to: repair it or link another.`,
    'prepare',
    { next: { operation: 'connectResource', params: { resourceKey } } },
  )
}
