import { isServiceError } from '@svc/contracts/errors'
import type { Assignment } from '@svc/contracts/assignment'
import { UnusableFile } from '@svc/process/untrusted-file'
import { freeCheckout } from '../git/checkout-holders.ts'
import { GitError } from '../git/git.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { otherResources, passedOver } from '../plan/locate-resources.ts'
import type { Run } from '../run/run.ts'
import { type Working, askBranches } from './take-checkout.ts'
import { type PreparedResource, prepareResource } from './prepare-resource.ts'

export interface Others {
  taken: PreparedResource[]
  /** Those in which the run has no working tree, and why. */
  unavailable: Map<string, string>
}

/**
 * The run's working trees in the other resources that it may write to, as far as they are checked out here. One
 * that cannot be had keeps no run from starting: it works without it. Nobody who may stay is waited for, so that of two
 * runs that are each in what the other lacks both start. Decision 42b.
 */
export async function prepareOthers(run: Run, signal: AbortSignal): Promise<Others> {
  const others: Others = { taken: [], unavailable: new Map() }
  try {
    for (const resourceKey of otherResources(run.order)) {
      const seenFrom = (options: Working) => seenFromOther(run, resourceKey, options)
      try {
        others.taken.push(await prepareResource(run, resourceKey, seenFrom, signal))
      } catch (error) {
        signal.throwIfAborted()
        if (!isOfThatResource(error)) throw error
        others.unavailable.set(resourceKey, error.message)
      }
    }
    for (const [resourceKey, why] of passedOver(run.order)) others.unavailable.set(resourceKey, why)
    return others
  } catch (error) {
    freeWorkingTrees(others.taken)
    throw error
  }
}

export function freeWorkingTrees(taken: readonly PreparedResource[]): void {
  for (const { prepared, holder } of taken) freeCheckout(prepared.workingDirectory, holder)
}

/** What is recorded of the mission's branches there was not claimed with the run, whose own resource is another. */
async function seenFromOther(run: Run, resourceKey: string, options: Working): Promise<Assignment> {
  const { assignment } = run.order
  const { executionRequest, resume } = assignment
  const { branches } = await askBranches(run, { resourceKey, wanted: null }, options)
  const before = resume?.prepared?.others.find((one) => one.resourceKey === resourceKey)
  return {
    ...assignment,
    executionRequest: { ...executionRequest, resourceKey },
    // that the mission's work is set aside was asked for in the run's own resource alone
    branches: { ...branches, fromBase: false },
    resume:
      resume && before ? { ...resume, prepared: { ...before, warnings: [], others: [] } } : null,
  }
}

function isOfThatResource(error: unknown): error is Error {
  if (error instanceof LaunchFailure || error instanceof LaunchRelease) return true
  if (error instanceof UnusableFile || error instanceof GitError) return true
  if (isServiceError(error) && error.code === 'not_found') return true
  // an error of a file: its folder cannot be written, its disk is full
  return error instanceof Error && 'syscall' in error
}
