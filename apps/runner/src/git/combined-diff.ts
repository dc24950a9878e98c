import { limits } from '@svc/contracts/limits'
import type { RunDiff } from '@svc/contracts/runner'
import type { RunWorkingTree } from '../run/working-trees.ts'
import { cutPatch, readRunDiff } from './diff.ts'
import type { GitOptions } from './git.ts'

interface CombinedDiff extends Omit<RunDiff, 'headSha'> {
  /** Undefined where the run's own tree cannot be read. */
  headSha: string | undefined
  complete: boolean
}

/**
 * What a run changed in all of its working trees: files of other resources as `<key>:<path>`, behind those of its own.
 * Undefined where it works nowhere with Git. A tree that cannot be read is left out of the answer; only if none can be
 * read, the first error is thrown.
 */
export async function readCombinedDiff(
  trees: readonly RunWorkingTree[],
  mask: (text: string) => string,
  options: GitOptions = {},
): Promise<CombinedDiff | undefined> {
  const diffs: CombinedDiff[] = []
  const errors: unknown[] = []
  for (const tree of trees) {
    const { workingDirectory, baseSha, branch, resourceKey, isOwn } = tree
    const what = { baseSha, branch, prefix: isOwn ? '' : `${resourceKey}:` }
    try {
      diffs.push(await readRunDiff(workingDirectory, what, mask, options))
    } catch (error) {
      errors.push(error)
      diffs.push(lost(tree))
    }
  }
  if (errors.length > 0 && errors.length === trees.length) throw errors[0]
  const [first, ...rest] = diffs
  return first && rest.reduce(joined, first)
}

/** What stands for a working tree that cannot be read. */
function lost({ baseSha }: RunWorkingTree): CombinedDiff {
  return { baseSha, headSha: undefined, stat: [], truncated: true, dirty: false, complete: false }
}

function joined(one: CombinedDiff, other: CombinedDiff): CombinedDiff {
  const stat = [...one.stat, ...other.stat]
  const { patch, truncated } = cutPatch((one.patch ?? '') + (other.patch ?? ''))
  const isCut = one.truncated || other.truncated || truncated || stat.length > limits.diffFiles
  return {
    ...one,
    stat: stat.slice(0, limits.diffFiles),
    ...(patch !== '' && { patch }),
    truncated: isCut,
    complete: one.complete && other.complete && stat.length <= limits.diffFiles,
    dirty: one.dirty || other.dirty,
  }
}
