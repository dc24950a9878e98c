import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere, writeDurably } from '@svc/runner/files/durable-file'
import { currentBranch } from '@svc/runner/git/checkout'
import { git, gitIfPossible, gitPath } from '@svc/runner/git/git'
import { GitProcess, isAtWork } from '@svc/runner/git/own-group'
import { commitOf } from '@svc/runner/git/refs'
import { z } from 'zod'
import { refuse } from '../branches/refuse.ts'
import { shellWord } from '@svc/contracts/shell-words'

/** What a merge is about to do to a checkout, in Git's own folder of it, for whoever comes after a crash. */
const MergeNote = z.object({
  /** The branch and commit that it is merged into. */
  branch: z.string(),
  head: z.string(),
  /** What the index holds once the merge is staged; null where that was not known before. */
  tree: z.string().nullable(),
  /** The Git that merges. */
  git: GitProcess,
})
export type MergeNote = z.infer<typeof MergeNote>

export function writeMergeNote(checkout: string, note: MergeNote): void {
  const path = notePath(checkout)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeDurably(path, JSON.stringify(note))
}

export function removeMergeNote(checkout: string): void {
  rmSync(notePath(checkout), { force: true })
}

/** Nothing in the checkout is uncommitted, neither in the index nor outside of it. */
export async function isClean(checkout: string): Promise<boolean> {
  return (await statusOf(checkout)) === ''
}

/**
 * Undoes what an interrupted merge has staged, but only where all is as the merge has left it: what anybody has changed since, and
 * what Git had written in part, is left alone and reported.
 */
export async function undoInterruptedMerge(checkout: string): Promise<void> {
  const note = readNote(checkout)
  if (note === undefined) return
  if (isAtWork(note.git)) {
    refuse(
      'checkout_busy',
      `A merge is still at work in ${checkout}, as process ${note.git.pid}: wait for it, or end it and try again.`,
    )
  }
  const isDone = (await isClean(checkout)) && !(await isAmidMerge(checkout))
  if (!isDone && !(await takeBackStaged(checkout, note))) {
    refuse(
      'dirty_checkout',
      `A merge into ${note.branch} was interrupted in ${checkout}, which has changed since, or was written in part; nothing was changed now. ${await waysBack(checkout)}`,
    )
  }
  removeMergeNote(checkout)
}

/** False, with nothing changed, where the checkout is not exactly as the note says, or Git does not take it back. */
export async function takeBackStaged(
  checkout: string,
  { branch, head, tree }: Omit<MergeNote, 'git'>,
): Promise<boolean> {
  const isThere =
    (await commitOf(checkout, 'HEAD')) === head && (await currentBranch(checkout)) === branch
  if (!isThere || !(await hasStaged(checkout, tree))) return false
  // neither touches what is not in the index; a file that is changed in this moment keeps all as it is
  const how = (await isAmidMerge(checkout)) ? ['merge', '--abort'] : ['reset', '--quiet', '--merge']
  await gitIfPossible(checkout, how)
  return await isClean(checkout)
}

/** Whether the index holds exactly this tree, and no file differs from the index. */
export async function hasStaged(checkout: string, tree: string | null): Promise<boolean> {
  const entries = (await statusOf(checkout)).split('\0').filter((entry) => entry !== '')
  // the second letter is about the working tree
  if (tree === null || entries.some((entry) => entry[1] !== ' ')) return false
  return (await gitIfPossible(checkout, ['write-tree']))?.trim() === tree
}

/** By hand. */
export async function waysBack(checkout: string): Promise<string> {
  const at = `git -C ${shellWord(checkout)}`
  const back = (await isAmidMerge(checkout)) ? `${at} merge --abort` : `${at} reset --merge`
  return `See ${at} status; ${back} takes the merge back, and refuses where a change of yours would go with it.`
}

export async function isAmidMerge(checkout: string): Promise<boolean> {
  return (await commitOf(checkout, 'MERGE_HEAD')) !== undefined
}

/** Without renames, each entry is a state of two letters and one path. */
function statusOf(checkout: string): Promise<string> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal']
  return git(checkout, args)
}

function readNote(checkout: string): MergeNote | undefined {
  const text = readIfThere(notePath(checkout))
  if (text === undefined) return undefined
  try {
    return MergeNote.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function notePath(checkout: string): string {
  const path = gitPath(checkout, 'svc/merge.json')
  return path ?? refuse('not_merged', `${checkout} is no Git checkout any more.`)
}
