import { readHolders } from '@svc/runner/git/checkout-holders'
import { dirtyFiles } from '@svc/runner/git/checkout'
import { isWhole } from '../branches/find-branch.ts'
import { named } from '../output/named.ts'
import type { Section } from './read-review.ts'

/** What the runs said, and what is not in the branch as it is here. */
export async function warningsOf({ found, runs }: Section): Promise<string[]> {
  const { recorded, tip, worktree } = found
  const { branch, lastSha, runnerLabel } = recorded
  const warnings = new Set(runs.flatMap((run) => run.warnings))
  if (tip !== undefined && !(await isWhole(found))) {
    warnings.add(
      `Branch ${branch} here lacks its last commit ${lastSha.slice(0, 12)}, which runner ${runnerLabel} has.`,
    )
  }
  if (worktree === undefined || worktree.isGone) return [...warnings]
  if (readHolders(worktree.path).length > 0) warnings.add(`A run is at work in ${worktree.path}.`)
  const dirty = await dirtyFiles(worktree.path)
  if (dirty.length > 0) {
    warnings.add(`Not in the branch: uncommitted changes in ${worktree.path} (${named(dirty)}).`)
  }
  return [...warnings]
}
