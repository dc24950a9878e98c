import { mkdirSync } from 'node:fs'
import { cutText } from '@svc/contracts/cut-text'
import type { Prepared } from '@svc/contracts/runner'
import { checkoutState } from '../files/resources.ts'
import { freeCheckout, type CheckoutHolder } from '../git/checkout-holders.ts'
import { isRepository } from '../git/checkout.ts'
import { gitFolderOf } from '../git/git.ts'
import { placeOf } from '../git/place.ts'
import { missedWork } from '../git/planned-branch.ts'
import { excludeScratchFolder } from '../git/scratch-folder.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { scratchPath } from '../plan/paths.ts'
import { tellOthers } from '../run/tell-others.ts'
import { type Working, takeCheckout } from './take-checkout.ts'
import { startTimeOfWork } from './time-of-work.ts'

/** Waiting for other runs is not counted: each of them is given its own time. */
const checkoutMs = 5 * 60_000
const mostWarnings = 20
const warningCharacters = 500

export interface Directory {
  prepared: Prepared
  holder: CheckoutHolder | undefined
  /** Where the repository keeps what is committed; empty in a scratch folder. */
  gitFolder: string
}

/** Where the agent is to work, its branch checked out; a scratch folder where there is no resource. */
export async function prepareDirectory(run: Run, signal: AbortSignal): Promise<Directory> {
  const { executionRequest } = run.order.assignment
  if (executionRequest.resourceKey === null) return scratchDirectory(run)
  using time = startTimeOfWork(checkoutMs)
  const { whileWaiting } = time
  try {
    const both = AbortSignal.any([signal, time.signal])
    return await prepareCheckout(run, executionRequest.resourceKey, { signal: both, whileWaiting })
  } catch (error) {
    if (signal.aborted || !time.signal.aborted) throw error
    throw new LaunchRelease('network', 'The checkout was not ready within 5 minutes.', {
      cause: error,
    })
  }
}

function scratchDirectory(run: Run): Directory {
  const workingDirectory = scratchPath(run.order)
  mkdirSync(workingDirectory, { recursive: true, mode: 0o700 })
  const prepared = {
    workingDirectory,
    branch: null,
    missionBranch: null,
    startSha: null,
    baseSha: null,
    checkout: 'scratch',
    warnings: [],
  } satisfies Prepared
  return { prepared, holder: undefined, gitFolder: '' }
}

async function prepareCheckout(
  run: Run,
  resourceKey: string,
  options: Working,
): Promise<Directory> {
  const { assignment, device } = run.order
  const linked = placeOf(await requireCheckout(run, resourceKey), assignment, device.label)
  await excludeScratchFolder(linked.checkout)
  const { plan, spot, holder, baseSha, warnings } = await takeCheckout(run, linked, options)
  try {
    const missed = await missedWork(spot, assignment, baseSha, options)
    const prepared = {
      workingDirectory: spot.checkout,
      branch: plan.branch,
      missionBranch: plan.missionBranch,
      startSha: plan.startSha,
      // what a run changed that goes on is told from where the one before began
      baseSha: (plan.isResumed && assignment.resume?.prepared?.baseSha) || baseSha,
      checkout: spot.kind,
      warnings: [...warnings, ...missed]
        .slice(0, mostWarnings)
        .map((text) => cutText(tellOthers(text, run.order, run.env), warningCharacters)),
    } satisfies Prepared
    return { prepared, holder, gitFolder: await gitFolderOf(spot.checkout) }
  } catch (error) {
    freeCheckout(spot.checkout, holder)
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
