import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, gitIfPossible } from './git.ts'

const fetchMs = 2 * 60_000

/** Writes out the submodules of a worktree, which Git leaves empty; a sentence where that cannot be done. */
export async function initSubmodules(
  worktree: string,
  name: string,
  options: GitOptions,
): Promise<string[]> {
  if (!existsSync(join(worktree, '.gitmodules'))) return []
  // no command that stands in the configuration in place of the checkout
  const args = ['submodule', '--quiet', 'update', '--init', '--recursive', '--checkout']
  const done = await gitIfPossible(worktree, args, { ...options, timeoutMs: fetchMs })
  if (done !== undefined) return []
  return [
    `Submodules of ${name} could not be fetched: those folders are empty. Run git submodule update --init there, or have preLaunchCommands do it.`,
  ]
}
