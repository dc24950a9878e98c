import { sleep } from '@svc/client/retry'
import { GitError } from '../git/git.ts'
import { pushWork } from '../git/push-branch.ts'
import type { Run } from '../run/run.ts'
import { type RunWorkingTree, workingTreesOf } from '../run/working-trees.ts'

const againMs = 30_000

/** Takes the branches of a run to their origins; a sentence for each where that is refused. */
export async function pushRun(run: Run, signal: AbortSignal): Promise<string[]> {
  const refused: string[] = []
  for (const tree of workingTreesOf(run)) {
    const why = await pushTree(tree, { signal, withoutHooks: run.order.ephemeral })
    refused.push(...why.map((text) => sayWhere(tree, text)))
  }
  return refused
}

/** One that cannot be read keeps no other from being pushed. */
async function pushTree(
  tree: RunWorkingTree,
  options: Parameters<typeof pushWork>[1],
): Promise<string[]> {
  try {
    return await pushWork(tree, options)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return [`Branch ${tree.branch} could not be pushed: ${error.said}`]
  }
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
