import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, gitIfPossible } from './git.ts'
import { listWorktrees } from './worktrees.ts'

/** Every worktree below the root, whether its checkout is still linked or not. */
export function worktreeFolders(root: string): string[] {
  if (!existsSync(root)) return []
  if (existsSync(join(root, '.git'))) return [root]
  const entries = readdirSync(root, { withFileTypes: true })
  // files and no .git: a worktree that was emptied in part, and no folder of worktrees
  const isRest = entries.some((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
  const folders = isRest ? [] : entries.filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => worktreeFolders(join(root, name)))
}

/** The checkout that a worktree was made of; undefined where its repository is no more. */
export async function checkoutOf(
  worktree: string,
  options: GitOptions = {},
): Promise<string | undefined> {
  if ((await gitIfPossible(worktree, ['rev-parse'], options)) === undefined) return undefined
  return (await listWorktrees(worktree, options)).find(({ isMain }) => isMain)?.path
}
