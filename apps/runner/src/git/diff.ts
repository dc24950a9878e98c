import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import type { DiffStat } from '@svc/contracts/run-changes'
import type { z } from 'zod'
import { currentBranch, dirtyFiles } from './checkout.ts'
import { GitError, type GitOptions, gitIfPossible, gitWith } from './git.ts'
import { openPatches } from './patches.ts'
import { streamGit } from './stream-git.ts'
import { commitOf } from './refs.ts'

/** A patch is read no further, whatever is kept of it. */
const patchBytesRead = 256 * 1024 * 1024

/** The branch that a run works on, and the commit at which the run began. */
export interface RunBranch {
  baseSha: string
  branch: string | null
  /** Stands before each path; nothing does in the run's own resource. */
  prefix?: string
}

export interface ChangedFile extends z.infer<typeof DiffStat> {
  /** Undefined: it is too large, or there is no room for more. */
  patch?: string
}

/** What a run changed, as far as it is kept. */
export interface ChangesOfRun {
  baseSha: string
  headSha: string
  files: ChangedFile[]
  /** Files or patches are left out. */
  truncated: boolean
  dirty: boolean
  /** It names every file that the run's branch changes. */
  complete: boolean
}

/**
 * The diff of the working tree from `baseSha`: committed, uncommitted and new files. `mask` hides secrets in it.
 */
export async function readRunDiff(
  checkout: string,
  { baseSha, branch, prefix = '' }: RunBranch,
  mask: (text: string) => string,
  options: GitOptions = {},
): Promise<ChangesOfRun> {
  const isOnBranch = (await currentBranch(checkout, options)) === (branch ?? undefined)
  const headSha = (await commitOf(checkout, 'HEAD', options)) ?? baseSha
  const dirty = (await dirtyFiles(checkout, options)).length > 0
  return await withIndexOfAll(checkout, options, async ({ diff, streamDiff }, isWhole) => {
    const numbers = await diff(['--numstat', '-z', '--no-renames', baseSha, '--'])
    const all = parseNumstat(numbers, prefix)
    const stat = all.slice(0, limits.runFiles)
    const patches = openPatches(mask)
    const args = ['--no-renames', ...prefixed(prefix), baseSha, '--']
    const { isCut } = await streamDiff(args, (bytes) => patches.add(bytes))
    const found = patches.end(isCut)
    const files = stat.map(({ filePath, ...numbersOf }) => {
      const patch = found.get(filePath)
      const shown = cutText(mask(filePath), 1024)
      return { filePath: shown, ...numbersOf, ...(patch !== undefined && { patch }) }
    })
    const isAllNamed = stat.length === all.length
    return {
      baseSha,
      headSha,
      files,
      truncated: !isAllNamed || files.some(({ patch }) => patch === undefined),
      dirty,
      complete:
        isWhole &&
        isOnBranch &&
        isAllNamed &&
        files.every((one, n) => one.filePath === stat[n]?.filePath),
    }
  })
}

/** Every change that the last commit does not have, to the byte, new files included. Throws a GitError where it is too much. */
export function readChanges(checkout: string, options: GitOptions = {}): Promise<string> {
  return withIndexOfAll(checkout, options, async ({ diff }, isWhole) => {
    if (!isWhole) throw new GitError(['add'], 'some of it cannot be read')
    return await diff(['--binary', '--full-index', '--no-renames', 'HEAD', '--'])
  })
}

interface Differ {
  diff: (args: readonly string[]) => Promise<string>
  streamDiff: (
    args: readonly string[],
    hear: (bytes: Buffer) => void,
  ) => Promise<{ isCut: boolean }>
}

/** Untracked files enter a copy of the index as intended, so that the real index stays as it is. */
async function withIndexOfAll<T>(
  checkout: string,
  options: GitOptions,
  read: (differ: Differ, isWhole: boolean) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-diff-'))
  const index = join(folder, 'index')
  try {
    const printed = await gitIfPossible(checkout, ['rev-parse', '--git-path', 'index'], options)
    copyIfThere(resolve(checkout, (printed ?? '.git/index').trim()), index)
    const variables = { GIT_INDEX_FILE: index }
    const isWhole = await addAll((args) => gitWith(variables, checkout, args, options))
    const ofDiff = (args: readonly string[]) => ['diff', ...plainDiff, ...args]
    const bounded = { ...options, mostBytes: patchBytesRead }
    return await read(
      {
        diff: (args) => gitWith(variables, checkout, ofDiff(args), options),
        streamDiff: (args, hear) =>
          streamGit(variables, checkout, ofDiff(args), { ...bounded, hear }),
      },
      isWhole,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** False where Git cannot add some of it: a folder that was made a repository without a commit, for one. */
async function addAll(run: Differ['diff']): Promise<boolean> {
  try {
    await run(['add', '--intent-to-add', '--all', '--sparse', '--ignore-errors', '--', '.'])
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

/** What a person has set up for their own eyes changes nothing of such a diff. */
export const plainDiff = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

function copyIfThere(from: string, to: string): void {
  try {
    // a copy would wait for a pipe
    if (statSync(from).isFile()) copyFileSync(from, to)
  } catch {
    // A repository without an index has nothing staged.
  }
}

function prefixed(prefix: string): string[] {
  return [`--src-prefix=a/${prefix}`, `--dst-prefix=b/${prefix}`]
}

/** By the whole path, which may be longer than what is reported of it. */
function parseNumstat(text: string, prefix: string): z.infer<typeof DiffStat>[] {
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [additions = '-', deletions = '-', ...path] = entry.split('\t')
      return {
        filePath: prefix + path.join('\t'),
        additions: additions === '-' ? null : Number(additions),
        deletions: deletions === '-' ? null : Number(deletions),
      }
    })
}
