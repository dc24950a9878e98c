import { realpathSync } from 'node:fs'
import type { Home } from '@svc/runner/files/home'
import { currentBranch } from '@svc/runner/git/checkout'
import { git } from '@svc/runner/git/git'
import { askOrigin } from '@svc/runner/git/origin'
import { withRepository } from '@svc/runner/git/repository-lock'
import { type FoundBranch, findBranch, isWhole, whereIs } from '../branches/find-branch.ts'
import { refuse, refuseDirty, refuseHeld } from '../branches/refuse.ts'
import { clearWorktree } from '../branches/remove-worktree.ts'
import { switchBranch } from '../branches/switch-branch.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { undoInterruptedMerge } from './interrupted-merge.ts'

/** Switches the linked checkout to the branch; what was done is answered in words. */
export async function checkOut(home: Home, found: FoundBranch, checkout: string): Promise<string> {
  return await withRepository(checkout, 'worktrees', async () => {
    const now = await findBranch(home, found.recorded)
    const { branch } = now.recorded
    if (now.worktree?.path === realpathSync(checkout)) return `${checkout} is on ${branch} already.`
    refuseHeld(checkout)
    await undoInterruptedMerge(checkout)
    await refuseDirty(checkout)
    const before =
      (await currentBranch(checkout)) ?? (await git(checkout, ['rev-parse', 'HEAD'])).trim()
    const freed = await free(home, now, checkout)
    const hook = await switchTo(now, checkout, freed)
    const lacks = (await isWhole(await findBranch(home, now.recorded)))
      ? ''
      : ` It lacks its last commit ${now.recorded.lastSha.slice(0, 12)}, which runner ${now.recorded.runnerLabel} has.`
    const cleared = freed ? ` Worktree ${now.worktree?.path} was removed.` : ''
    return `${checkout} is on ${branch}.${cleared}${lacks}${hook} Back: git -C ${shellWord(checkout)} switch ${backTo(before)}`
  })
}

function backTo(before: string): string {
  return /^[0-9a-f]{40,64}$/.test(before) ? `--detach ${before}` : shellWord(before)
}

/** Git has a branch in one place alone: the runner's worktree makes room, a person's does not. */
async function free(home: Home, { worktree, isRunners }: FoundBranch, checkout: string) {
  if (worktree === undefined) return undefined
  if (isRunners) return await clearWorktree(home, checkout, worktree)
  return refuse(
    'checkout_busy',
    `The branch is checked out in ${worktree.path}, which is not the runner's: work there, or switch that to another branch first.`,
  )
}

async function switchTo(
  now: FoundBranch,
  checkout: string,
  restore: (() => Promise<void>) | undefined,
): Promise<string> {
  const { branch } = now.recorded
  if (now.tip !== undefined) {
    try {
      return await switchBranch(checkout, branch)
    } catch (error) {
      await restore?.()
      throw error
    }
  }
  await fetch(now, checkout)
  return await switchBranch(checkout, branch, ['--create', branch, '--track', `origin/${branch}`])
}

async function fetch(now: FoundBranch, checkout: string): Promise<void> {
  const { branch } = now.recorded
  const { state, sha } = await askOrigin(checkout, branch, {})
  if (sha !== undefined) return
  if (state === 'unreachable' && now.origin !== undefined) return
  refuse(
    'branch_elsewhere',
    state === 'unreachable'
      ? `Branch ${branch} is not here, and origin cannot be reached: connect it and try again.`
      : `Branch ${branch} is ${whereIs({ ...now, origin: undefined })} and neither here nor at origin: push it there first, with git push origin ${shellWord(branch)}.`,
  )
}
