import { limits } from '@svc/contracts/limits'
import type { RunWorkingTree } from '../run/working-trees.ts'
import { type ChangedFile, type ChangesOfRun, readRunDiff } from './diff.ts'
import type { GitOptions } from './git.ts'

interface CombinedDiff extends Omit<ChangesOfRun, 'headSha'> {
  /** Undefined where the run's own tree cannot be read. */
  headSha: string | undefined
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
  return { baseSha, headSha: undefined, files: [], truncated: true, dirty: false, complete: false }
}

function joined(one: CombinedDiff, other: CombinedDiff): CombinedDiff {
  const all = [...one.files, ...other.files]
  const files = withinRoom(all.slice(0, limits.runFiles))
  const isAllNamed = files.length === all.length
  return {
    ...one,
    files,
    truncated:
      !isAllNamed ||
      files.some(({ patch }) => patch === undefined) ||
      one.truncated ||
      other.truncated,
    complete: one.complete && other.complete && isAllNamed,
    dirty: one.dirty || other.dirty,
  }
}

/** Each tree may fill the room for patches alone. */
function withinRoom(files: readonly ChangedFile[]): ChangedFile[] {
  let room: number = limits.runPatchBytes
  return files.map(({ patch, ...file }) => {
    const bytes = Buffer.byteLength(patch ?? '')
    if (patch === undefined || bytes > room) return file
    room -= bytes
    return { ...file, patch }
  })
}
