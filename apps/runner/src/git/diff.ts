import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import type { RunDiff } from '@svc/contracts/runner'
import { currentBranch, dirtyFiles } from './checkout.ts'
import { GitError, type GitOptions, LongOutput, gitIfPossible, gitWith } from './git.ts'
import { commitOf } from './refs.ts'

/**
 * How many bytes of a patch are read. More than are kept, so that enough is left where masking makes the text shorter.
 */
const patchBytesRead = 4 * limits.diffPatchBytes

/** The branch that a run works on, and the commit at which the run began. */
export interface RunBranch {
  baseSha: string
  branch: string | null
  /** Stands before each path; nothing does in the run's own resource. */
  prefix?: string
}

/**
 * The diff of the working tree from `baseSha`: committed, uncommitted and new files. `mask` hides secrets in it. It is
 * complete where it names every file that the run's branch changes.
 */
export async function readRunDiff(
  checkout: string,
  { baseSha, branch, prefix = '' }: RunBranch,
  mask: (text: string) => string,
  options: GitOptions = {},
): Promise<RunDiff & { complete: boolean }> {
  const isOnBranch = (await currentBranch(checkout, options)) === (branch ?? undefined)
  const headSha = (await commitOf(checkout, 'HEAD', options)) ?? baseSha
  const dirty = (await dirtyFiles(checkout, options)).length > 0
  return await withIndexOfAll(checkout, options, async (diff, isWhole) => {
    const numbers = await diff(['--numstat', '-z', '--no-renames', baseSha, '--'])
    const shown = mask(numbers)
    const stat = parseNumstat(shown, prefix)
    const { text, isCut } = await beginningOf(
      diff(['--no-renames', ...prefixed(prefix), baseSha, '--'], { mostBytes: patchBytesRead }),
    )
    // Attributes can have Git print a binary file as text, and the service keeps no NUL.
    const { patch, truncated } = cutPatch(mask(text.replaceAll('\0', '\ufffd')))
    return {
      baseSha,
      headSha,
      stat: stat.slice(0, limits.diffFiles),
      ...(patch !== '' && { patch }),
      truncated: isCut || truncated || stat.length > limits.diffFiles,
      dirty,
      complete: isWhole && isOnBranch && shown === numbers && stat.length <= limits.diffFiles,
    }
  })
}

/** Every change that the last commit does not have, to the byte, new files included. Throws a GitError where it is too much. */
export function readChanges(checkout: string, options: GitOptions = {}): Promise<string> {
  return withIndexOfAll(checkout, options, async (diff, isWhole) => {
    if (!isWhole) throw new GitError(['add'], 'some of it cannot be read')
    return await diff(['--binary', '--full-index', '--no-renames', 'HEAD', '--'])
  })
}

type Diff = (args: readonly string[], more?: Pick<GitOptions, 'mostBytes'>) => Promise<string>

/** Untracked files enter a copy of the index as intended, so that the real index stays as it is. */
async function withIndexOfAll<T>(
  checkout: string,
  options: GitOptions,
  read: (diff: Diff, isWhole: boolean) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-diff-'))
  const index = join(folder, 'index')
  try {
    const printed = await gitIfPossible(checkout, ['rev-parse', '--git-path', 'index'], options)
    copyIfThere(resolve(checkout, (printed ?? '.git/index').trim()), index)
    const variables = { GIT_INDEX_FILE: index }
    const isWhole = await addAll((args) => gitWith(variables, checkout, args, options))
    return await read(
      (args, more) =>
        gitWith(variables, checkout, ['diff', ...plainDiff, ...args], { ...options, ...more }),
      isWhole,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** False where Git cannot add some of it: a folder that was made a repository without a commit, for one. */
async function addAll(run: Diff): Promise<boolean> {
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

function parseNumstat(text: string, prefix: string): RunDiff['stat'] {
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [additions = '-', deletions = '-', ...path] = entry.split('\t')
      return {
        filePath: cutText(prefix + path.join('\t'), 1024),
        additions: additions === '-' ? null : Number(additions),
        deletions: deletions === '-' ? null : Number(deletions),
      }
    })
}

/** The files of a patch that are there to their end, if Git was ended before it had printed the whole. */
async function beginningOf(patch: Promise<string>): Promise<{ text: string; isCut: boolean }> {
  try {
    return { text: await patch, isCut: false }
  } catch (error) {
    if (!(error instanceof LongOutput)) throw error
    const { beginning } = error
    return { text: beginning.slice(0, beginning.lastIndexOf('\ndiff --git ') + 1), isCut: true }
  }
}

/** Whole files up to the limit. */
export function cutPatch(
  patch: string,
  bytes: number = limits.diffPatchBytes,
): { patch: string; truncated: boolean } {
  if (Buffer.byteLength(patch) <= bytes) return { patch, truncated: false }
  let kept = ''
  let size = 0
  for (const file of patch.split(/^(?=diff --git )/m)) {
    size += Buffer.byteLength(file)
    if (size > bytes) break
    kept += file
  }
  return { patch: kept, truncated: true }
}
