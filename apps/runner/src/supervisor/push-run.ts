import { sleep } from '@svc/client/retry'
import { GitError, type GitOptions } from '../git/git.ts'
import { pushWork } from '../git/push-branch.ts'
import { pushClone } from '../git/push-clone.ts'
import { commitOf, holdsCommit } from '../git/refs.ts'
import type { Run } from '../run/run.ts'
import { type RunWorkingTree, workingTreesOf } from '../run/working-trees.ts'

const againMs = 30_000

/** Takes the branches of a run to their origins; a sentence for each where that is refused. */
export async function pushRun(run: Run, signal: AbortSignal): Promise<string[]> {
  const refused: string[] = []
  for (const tree of workingTreesOf(run)) {
    const why = await pushTree(run, tree, { signal })
    refused.push(...why.map((text) => sayWhere(tree, text)))
  }
  return refused
}

/** One that cannot be read keeps no other from being pushed. */
async function pushTree(run: Run, tree: RunWorkingTree, options: GitOptions): Promise<string[]> {
  const url = run.order.clones[tree.resourceKey]
  try {
    if (url === undefined) return await pushWork(tree, options)
    return await pushCloned(run, tree, url, options)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return [`Branch ${tree.branch} could not be pushed: ${error.said}`]
  }
}

/**
 * Never by force over what others have pushed. What this run has, it replaces where its agent has amended it meanwhile, as
 * after a check that failed, and kept all that was there before the run.
 */
async function pushCloned(
  { order, folder: scratch, pushed }: Run,
  { resourceKey, branch, startSha, baseSha }: RunWorkingTree,
  url: string,
  options: GitOptions,
): Promise<string[]> {
  const clone = order.checkouts[resourceKey]
  const sha = clone && (await commitOf(clone, `refs/heads/${branch}`, options))
  const before = pushed.get(resourceKey)
  if (!clone || !sha || (sha === startSha && before === undefined)) return []
  const mayReplace = before !== undefined && (await holdsCommit(clone, sha, baseSha, options))
  const replaces = mayReplace ? before : undefined
  const refused = await pushClone({ url, clone, branch, sha, replaces, scratch }, options)
  if (refused !== undefined) return [refused]
  pushed.set(resourceKey, sha)
  return []
}

/** Tries again for as long as the machine is kept for it: with it what is not pushed is lost. Decision 150. */
export async function pushAtLast(run: Run, signal: AbortSignal): Promise<string[]> {
  const { pushSeconds } = run.order.timing
  const until = performance.now() + pushSeconds * 1000
  for (;;) {
    const refused = await pushRun(run, signal)
    const leftMs = until - performance.now()
    if (refused.length === 0 || leftMs <= 0) return refused
    run.log.warn({ refused }, 'a branch could not be pushed; it is tried again')
    await sleep(Math.min(againMs, leftMs), signal)
  }
}

export function sayWhere({ isOwn, resourceKey }: RunWorkingTree, text: string): string {
  return isOwn ? text : `In ${resourceKey}: ${text}`
}
