import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { pathBelow } from '../files/path-below.ts'
import { type GitOptions, GitError, git, gitIfPossible, gitPath, writeOutMs } from './git.ts'

/** A working tree of a repository, as Git lists it. */
export interface Worktree {
  path: string
  /** Undefined on none, and in the midst of a rebase. */
  branch: string | undefined
  /** The repository's first one, which is there for as long as the repository. */
  isMain: boolean
  /** The folder, or the file in it that makes it a worktree: nobody can work in it. */
  isGone: boolean
  /** Git was killed while it wrote it out, or is at it: nobody has worked in it. */
  isHalfMade: boolean
}

/** Something else than an empty folder is there. */
export function isOccupied(path: string): boolean {
  if (!existsSync(path)) return false
  return !lstatSync(path).isDirectory() || readdirSync(path).length > 0
}

/** All of the repository, whichever of them is asked. */
export async function listWorktrees(
  checkout: string,
  options: GitOptions = {},
): Promise<Worktree[]> {
  const text = await git(checkout, ['worktree', 'list', '--porcelain', '-z'], options)
  const entries = text.split('\0\0').filter((entry) => entry !== '')
  return entries.map((entry, index) => readEntry(entry.split('\0'), index === 0))
}

function readEntry(lines: readonly string[], isMain: boolean): Worktree {
  const valueOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
  const path = valueOf('worktree') ?? ''
  const branch = valueOf('branch')?.replace(/^refs\/heads\//, '')
  const isHalfMade = valueOf('locked') === 'initializing'
  return { path, branch, isMain, isGone: gitPath(path, '.') === undefined, isHalfMade }
}

/** Where a runner puts the worktree of a branch. */
export function worktreePath(
  root: string,
  { projectSlug, resourceKey, branch }: WorktreeName,
): string {
  return pathBelow(root, projectSlug, resourceKey, ...branch.split('/'))
}

export interface WorktreeName {
  projectSlug: string
  resourceKey: string
  branch: string
}

/** Whether the folder lies below that one, and so was made by its runner. */
export function isBelow(root: string, path: string): boolean {
  return path.startsWith(root + sep)
}

/**
 * Checks the branch out in a folder of its own; `createAt` cuts it there. Answers what a hook of the repository said that
 * did not like it: the folder is there all the same.
 */
export async function addWorktree(
  checkout: string,
  path: string,
  { branch, createAt }: { branch: string; createAt: string | undefined },
  options: GitOptions = {},
): Promise<string | undefined> {
  const cut = createAt === undefined ? [] : ['--no-track', '-b', branch]
  const args = ['worktree', 'add', '--quiet', ...cut, '--', path, createAt ?? branch]
  try {
    await git(checkout, args, { ...options, timeoutMs: writeOutMs })
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (await isWrittenOut(path, branch, options)) return error.said
    // Git takes the folder back and leaves the branch, which the next try would take for somebody else's
    if (createAt !== undefined) {
      await gitIfPossible(checkout, ['update-ref', '-d', `refs/heads/${branch}`, createAt], options)
    }
    throw error
  }
}

async function isWrittenOut(path: string, branch: string, options: GitOptions): Promise<boolean> {
  if (!existsSync(path)) return false
  const head = await gitIfPossible(path, ['symbolic-ref', '--short', '-q', 'HEAD'], options)
  return head?.trim() === branch
}

/**
 * Never by force: what is not committed keeps it; but for one that is half made. The folders above it go too once they
 * are empty.
 */
export async function removeWorktree(
  checkout: string,
  { path, isHalfMade, isGone }: Pick<Worktree, 'path' | 'isHalfMade' | 'isGone'>,
  root: string,
  options: GitOptions = {},
): Promise<void> {
  if (isGone && existsSync(path)) rmdirSync(path)
  const force = isHalfMade ? ['--force', '--force'] : []
  const args = ['worktree', 'remove', ...force, '--', path]
  await git(checkout, args, { ...options, timeoutMs: writeOutMs })
  for (let folder = dirname(path); isBelow(root, folder); folder = dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
