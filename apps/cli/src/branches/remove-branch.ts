import { realpathSync } from 'node:fs'
import type { Home } from '@svc/runner/files/home'
import { git } from '@svc/runner/git/git'
import { commitOf, holdsCommit } from '@svc/runner/git/refs'
import { withRepository } from '@svc/runner/git/repository-lock'
import { shellWord } from '@svc/contracts/shell-words'
import { type FoundBranch, findBranch, isUnmerged } from './find-branch.ts'
import { refuse, wordsOf } from './refuse.ts'
import { clearWorktree } from './remove-worktree.ts'

/** Removes a recorded branch from this machine, with the runner's worktree of it; `origin` keeps its own. */
export async function removeBranch(
  home: Home,
  found: FoundBranch,
  { unmerged }: { unmerged: boolean },
): Promise<string> {
  const { checkout } = found
  if (checkout === undefined)
    refuse('not_linked', `${found.recorded.branch} is not on this machine.`)
  return await withRepository(checkout, 'worktrees', async () => {
    const now = await findBranch(home, found.recorded)
    const { branch } = now.recorded
    const { tip, worktree } = now
    if (tip === undefined) return `${branch} is not in ${checkout}.`
    await refuseForeign(now, checkout, tip)
    if (!unmerged) refuseUnmerged(now)
    refuseOccupied(now, checkout)
    const restore = worktree && (await clearWorktree(home, checkout, worktree))
    try {
      await git(checkout, ['branch', '--quiet', '-D', '--', branch])
    } catch (error) {
      await restore?.()
      refuse('branch_kept', `Git keeps ${branch}: ${wordsOf(error)}`, error)
    }
    const cleared = worktree ? `, and worktree ${worktree.path}` : ''
    return `Removed ${branch} from ${checkout}${cleared}. Back: git -C ${shellWord(checkout)} branch ${shellWord(branch)} ${tip}`
  })
}

/** A branch of that name which has nothing of what was recorded is the person's own. */
async function refuseForeign({ recorded }: FoundBranch, checkout: string, tip: string) {
  const { branch, startSha, lastSha, baseBranch } = recorded
  const isOurs =
    (await commitOf(checkout, startSha)) !== undefined &&
    (await holdsCommit(checkout, tip, startSha)) &&
    ((await holdsCommit(checkout, tip, lastSha)) || (await holdsCommit(checkout, lastSha, tip)))
  if (isOurs && branch !== baseBranch) return
  refuse(
    'branch_kept',
    `Branch ${branch} in ${checkout} is not the one that runs have recorded: it stays.`,
  )
}

export function refuseUnmerged(found: FoundBranch): void {
  if (isUnmerged(found)) refuse('branch_unmerged', whyUnmerged(found))
}

export function whyUnmerged({ recorded: { branch, baseBranch, mission } }: FoundBranch): string {
  return `Branch ${branch} is not merged into ${baseBranch}, as known here: svc review ${mission} --merge merges it, and --unmerged removes it all the same.`
}

function refuseOccupied({ recorded, worktree, isRunners }: FoundBranch, checkout: string): void {
  if (worktree === undefined || isRunners) return
  const isLinked = worktree.path === realpathSync(checkout)
  const at = `git -C ${shellWord(worktree.path)} switch ${shellWord(recorded.baseBranch)}`
  refuse(
    'checkout_busy',
    `${isLinked ? 'The linked checkout' : 'A worktree that is not the runner’s'}, ${worktree.path}, is on ${recorded.branch}: first ${at}`,
  )
}
