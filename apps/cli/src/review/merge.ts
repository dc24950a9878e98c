import type { Home } from '@svc/runner/files/home'
import { readHolders } from '@svc/runner/git/checkout-holders'
import { currentBranch } from '@svc/runner/git/checkout'
import { git, gitIfPossible, writeOutMs } from '@svc/runner/git/git'
import { askOrigin } from '@svc/runner/git/origin'
import { gitInOwnGroup } from '@svc/runner/git/own-group'
import { commitOf, holdsCommit, mergedInto } from '@svc/runner/git/refs'
import { withRepository } from '@svc/runner/git/repository-lock'
import { type FoundBranch, findBranch, isWhole } from '../branches/find-branch.ts'
import { refuse, refuseDirty, refuseHeld, wordsOf } from '../branches/refuse.ts'
import { named } from '../output/named.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { type Interruption, heedingSignals, untilEnded } from './interruption.ts'
import {
  type MergeNote,
  hasStaged,
  isAmidMerge,
  isClean,
  removeMergeNote,
  takeBackStaged,
  undoInterruptedMerge,
  waysBack,
  writeMergeNote,
} from './interrupted-merge.ts'

const mergeMs = 10 * 60_000

/** Merges the branch into its base in the linked checkout, as `git merge` does; what was done is answered in words. */
export async function merge(home: Home, found: FoundBranch, checkout: string): Promise<string> {
  return await withRepository(checkout, 'worktrees', () =>
    heedingSignals((interruption) => mergeAlone({ home, checkout, interruption }, found)),
  )
}

interface Merge {
  home: Home
  checkout: string
  interruption: Interruption
}

/** Nobody else decides about this repository meanwhile. */
async function mergeAlone(all: Merge, found: FoundBranch): Promise<string> {
  const { home, checkout, interruption } = all
  const now = await findBranch(home, found.recorded)
  const { branch, baseBranch, startSha } = now.recorded
  const source = await sourceOf(now, checkout)
  if (source.sha === startSha)
    return `Nothing was committed on ${branch}: there is nothing to merge.`
  const merged = await mergedInto(checkout, baseBranch, source.sha)
  if (merged === 'here') return `${branch} is in ${baseBranch} already.`
  if (merged !== undefined) {
    return `${branch} is in origin/${baseBranch} already; nothing was merged here: git -C ${shellWord(checkout)} pull origin ${shellWord(baseBranch)} brings it.`
  }
  refuseHeld(checkout)
  await undoInterruptedMerge(checkout)
  await refuseDirty(checkout)
  const why = interruption.why()
  if (why !== undefined) refuse('interrupted', `${branch} is not merged: ${why}.`)
  const before = await standing(checkout)
  const switched = await toBase(all, baseBranch, before)
  await mergeClean({ checkout, branch, ref: source.ref, before, baseBranch }, interruption)
  const head = (await commitOf(checkout, 'HEAD')) ?? ''
  return `${switched}Merged ${branch} into ${baseBranch} in ${checkout}: now at ${head.slice(0, 12)}.${more(now)}`
}

/** A run that goes on with the branch may commit more. */
function more({ worktree }: FoundBranch): string {
  const isBusy = worktree !== undefined && readHolders(worktree.path).length > 0
  return isBusy ? ' A run is at work on that branch still.' : ''
}

/** The branch here where it has all that was recorded, else that of `origin`. A part of the work is never merged. */
async function sourceOf(now: FoundBranch, checkout: string): Promise<{ ref: string; sha: string }> {
  const { branch, lastSha, runnerLabel } = now.recorded
  if (now.tip !== undefined && (await isWhole(now))) {
    return { ref: `refs/heads/${branch}`, sha: now.tip }
  }
  const { state, sha } = await askOrigin(checkout, branch, {})
  const origin = sha ?? now.origin
  if (origin !== undefined && (await holdsCommit(checkout, origin, lastSha))) {
    return { ref: `refs/remotes/origin/${branch}`, sha: origin }
  }
  const unreachable = state === 'unreachable' ? ', and origin cannot be reached' : ''
  return refuse(
    'branch_elsewhere',
    `The last commit ${lastSha.slice(0, 12)} of ${branch} is on runner ${runnerLabel} and not here${unreachable}: push it from there, with git push origin ${shellWord(branch)}, and try again.`,
  )
}

interface Standing {
  /** Undefined on none. */
  branch: string | undefined
  sha: string
}

async function standing(checkout: string): Promise<Standing> {
  const sha = await commitOf(checkout, 'HEAD')
  if (sha === undefined) refuse('not_merged', `${checkout} has no commit yet.`)
  return { branch: await currentBranch(checkout), sha }
}

/** Answers what to print about it. */
async function toBase(
  { checkout, interruption }: Merge,
  base: string,
  before: Standing,
): Promise<string> {
  if (before.branch === base) return ''
  const group = gitInOwnGroup(checkout, ['switch', '--quiet', '--', base])
  const isAtRest = async () => (await currentBranch(checkout)) === base
  const hook = await untilEnded(group, interruption, { isAtRest, mostMs: writeOutMs }).then(
    () => '',
    wordsOf,
  )
  if (interruption.why() === undefined && (await isAtRest())) {
    const note = hook === '' ? '' : ` Git says: ${hook}`
    return `Switched ${checkout} from ${before.branch ?? before.sha.slice(0, 12)} to ${base}.${note} `
  }
  const left = await switchBack(checkout, before)
  return refuse('not_switched', `Git does not switch ${checkout} to ${base}: ${hook}. ${left}`)
}

interface Merging {
  checkout: string
  branch: string
  ref: string
  before: Standing
  baseBranch: string
}

async function mergeClean(merging: Merging, interruption: Interruption): Promise<void> {
  const { checkout, branch, ref, before, baseBranch } = merging
  const plan = await planOf(merging)
  try {
    await runMerge(merging, plan, interruption)
  } catch (error) {
    const words = wordsOf(error)
    const isMerged = (await commitOf(checkout, `refs/heads/${baseBranch}`)) !== plan.head
    if (isMerged) return await settle(`${branch} is in ${baseBranch}: ${words}`)
    const conflicts = await conflictsIn(checkout)
    const left = await goBack(checkout, before, plan)
    const at = `git -C ${shellWord(checkout)}`
    const byHand = `by hand: ${at} switch ${shellWord(baseBranch)} && ${at} merge ${shellWord(ref.replace(/^refs\/(heads|remotes)\//, ''))}`
    if (conflicts.length === 0) {
      refuse('not_merged', `Git does not merge ${branch}: ${words}. ${left}; ${byHand}`, error)
    }
    refuse(
      'merge_conflict',
      `${branch} and ${baseBranch} change the same lines of ${named(conflicts, 20)}. ${left}; ${byHand}, solve them, then ${at} commit`,
      error,
    )
  }
  const why = interruption.why()
  await settle(why && `${branch} is in ${baseBranch}: ${why}`)

  /** The merge is done. Who interrupted it wants nothing after it. */
  async function settle(interrupted: string | undefined): Promise<void> {
    if (await isClean(checkout)) removeMergeNote(checkout)
    if (interrupted === undefined) return
    const { branch: on, sha } = await standing(checkout)
    refuse('interrupted', `${interrupted}. ${checkout} is on ${on ?? sha.slice(0, 12)}.`)
  }
}

type Plan = Omit<MergeNote, 'git'>

async function planOf({ checkout, ref, baseBranch }: Merging): Promise<Plan> {
  const { sha: head } = await standing(checkout)
  const tree = await gitIfPossible(checkout, ['merge-tree', '--write-tree', head, ref])
  return { branch: baseBranch, head, tree: tree?.trim() ?? null }
}

/** Once the merge is staged only hooks are left, which alone may take long. */
async function runMerge(
  { checkout, branch, ref }: Merging,
  plan: Plan,
  interruption: Interruption,
): Promise<void> {
  // Git would call it by the whole ref
  const message = `Merge branch '${branch}'`
  const args = ['merge', '--no-edit', '--quiet', '--message', message, ref]
  const group = gitInOwnGroup(checkout, args, (process) =>
    writeMergeNote(checkout, { ...plan, git: process }),
  )
  const isAtRest = () => hasStaged(checkout, plan.tree)
  await untilEnded(group, interruption, { isAtRest, mostMs: mergeMs })
}

async function conflictsIn(checkout: string): Promise<string[]> {
  const text = await git(checkout, ['diff', '--name-only', '--diff-filter=U', '-z'])
  return text.split('\0').filter((path) => path !== '')
}

/** Answers in words what became of the checkout. The note stays with what could not be taken back. */
async function goBack(checkout: string, before: Standing, plan: Plan): Promise<string> {
  const hasConflicts = plan.tree === null && (await isAmidMerge(checkout))
  if (hasConflicts) await gitIfPossible(checkout, ['merge', '--abort'])
  else if (!(await isClean(checkout))) await takeBackStaged(checkout, plan)
  const isAmid = !(await isClean(checkout)) || (await isAmidMerge(checkout))
  if (!isAmid) {
    removeMergeNote(checkout)
    return await switchBack(checkout, before)
  }
  const { branch, sha } = await standing(checkout)
  return `${checkout} is left on ${branch ?? sha.slice(0, 12)}, amid the merge. ${await waysBack(checkout)}`
}

/** Switches back to where the checkout was before. Answers in words where that left it. */
async function switchBack(checkout: string, before: Standing): Promise<string> {
  const back = before.branch === undefined ? ['--detach', before.sha] : ['--', before.branch]
  if ((await currentBranch(checkout)) !== before.branch) {
    const group = gitInOwnGroup(checkout, ['switch', '--quiet', ...back])
    await group.ended.catch(() => undefined)
  }
  const { branch, sha } = await standing(checkout)
  const isBack = branch === before.branch && sha === before.sha
  if (isBack && (await isClean(checkout))) return 'Nothing was changed'
  return `${checkout} is left on ${branch ?? sha.slice(0, 12)}`
}
