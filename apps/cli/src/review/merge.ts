import type { Home } from '@svc/runner/files/home'
import { readHolders } from '@svc/runner/git/checkout-holders'
import { currentBranch } from '@svc/runner/git/checkout'
import { git, gitIfPossible } from '@svc/runner/git/git'
import { askOrigin } from '@svc/runner/git/origin'
import { commitOf, holdsCommit, mergedInto } from '@svc/runner/git/refs'
import { withRepository } from '@svc/runner/git/repository-lock'
import { type FoundBranch, findBranch, isWhole } from '../branches/find-branch.ts'
import { refuse, refuseDirty, refuseHeld, wordsOf } from '../branches/refuse.ts'
import { switchBranch } from '../branches/switch-branch.ts'
import { named } from '../output/named.ts'
import { shellWord } from '../output/shell-word.ts'

const mergeMs = 10 * 60_000

/** Merges the branch into its base in the linked checkout, as `git merge` does; what was done is answered in words. */
export async function merge(home: Home, found: FoundBranch, checkout: string): Promise<string> {
  return await withRepository(checkout, 'worktrees', async () => {
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
    await refuseDirty(checkout)
    const before = await standing(checkout)
    const switched = await toBase(checkout, baseBranch, before)
    await mergeClean({ checkout, branch, ref: source.ref, before, baseBranch })
    const head = (await commitOf(checkout, 'HEAD')) ?? ''
    return `${switched}Merged ${branch} into ${baseBranch} in ${checkout}: now at ${head.slice(0, 12)}.${more(now)}`
  })
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

/** Answers what to tell of it. */
async function toBase(checkout: string, base: string, before: Standing): Promise<string> {
  if (before.branch === base) return ''
  const hook = await switchBranch(checkout, base)
  return `Switched ${checkout} from ${before.branch ?? before.sha.slice(0, 12)} to ${base}.${hook} `
}

interface Merging {
  checkout: string
  branch: string
  ref: string
  before: Standing
  baseBranch: string
}

async function mergeClean(merging: Merging): Promise<void> {
  const { checkout, branch, ref, before, baseBranch } = merging
  try {
    await git(checkout, ['merge', '--no-edit', '--quiet', ref], { timeoutMs: mergeMs })
  } catch (error) {
    const words = wordsOf(error)
    const conflicts = await conflictsIn(checkout)
    const left = await goBack(checkout, before)
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
}

async function conflictsIn(checkout: string): Promise<string[]> {
  const text = await git(checkout, ['diff', '--name-only', '--diff-filter=U', '-z'])
  return text.split('\0').filter((path) => path !== '')
}

/** Answers in words what became of the checkout. */
async function goBack(checkout: string, before: Standing): Promise<string> {
  if ((await commitOf(checkout, 'MERGE_HEAD')) !== undefined) {
    await gitIfPossible(checkout, ['merge', '--abort'])
  }
  const back = before.branch === undefined ? ['--detach', before.sha] : ['--', before.branch]
  if ((await currentBranch(checkout)) !== before.branch) {
    await gitIfPossible(checkout, ['switch', '--quiet', ...back])
  }
  const isAmid = (await commitOf(checkout, 'MERGE_HEAD')) !== undefined
  const { branch, sha } = await standing(checkout)
  if (!isAmid && branch === before.branch && sha === before.sha) return 'Nothing was changed'
  return `${checkout} is left on ${branch ?? sha.slice(0, 12)}${isAmid ? ', amid the merge' : ''}`
}
