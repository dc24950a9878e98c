import { createHash } from 'node:crypto'
import type { RunWorkingTree } from '../run/working-trees.ts'
import { readChanges } from './diff.ts'
import { type GitOptions, GitError } from './git.ts'
import { commitOf } from './refs.ts'

/** What stands in the working trees of a run at one moment. */
export interface TreeState {
  /** Last commit of its own; null where there is none. */
  commit: string | null
  /** There are changes that no commit has. */
  dirty: boolean
  /** Differs where anything differs that Git does not ignore; undefined where it could not be read whole. */
  digest: string | undefined
}

/** Without Git nothing is known of it. */
export async function readTreeState(
  trees: readonly RunWorkingTree[],
  options: GitOptions,
): Promise<TreeState> {
  const hash = createHash('sha256')
  const state: TreeState = { commit: null, dirty: false, digest: undefined }
  let isWhole = trees.length > 0
  for (const { resourceKey, workingDirectory, isOwn } of trees) {
    const head = await orNothing(commitOf(workingDirectory, 'HEAD', options))
    const changes = await orNothing(readChanges(workingDirectory, options))
    if (isOwn) {
      state.commit = head ?? null
      state.dirty = changes !== ''
    }
    isWhole &&= head !== undefined && changes !== undefined
    hash.update(`${JSON.stringify([resourceKey, head])}\n${changes}\0`)
  }
  return isWhole ? { ...state, digest: hash.digest('hex') } : state
}

/** Where Git refuses, as where the agent took its folder away. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
