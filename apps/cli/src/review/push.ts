import { git } from '@svc/runner/git/git'
import { commitOf, hasOrigin, holdsCommit } from '@svc/runner/git/refs'
import { refuse, wordsOf } from '../branches/refuse.ts'
import { shellWord } from '@svc/contracts/shell-words'

const pushMs = 10 * 60_000

/** The base after a merge; where `origin` had the work first, there is nothing to push. */
export async function pushBase(checkout: string, base: string): Promise<string> {
  const tip = await commitOf(checkout, `refs/heads/${base}`)
  const known = await commitOf(checkout, `refs/remotes/origin/${base}`)
  const isThere = tip && known && (await holdsCommit(checkout, known, tip))
  return isThere ? `origin has all of ${base} already.` : await push(checkout, base)
}

/** Pushes to the branch of that name at `origin`. Never by force, and what the branch follows stays as it is. */
export async function push(checkout: string, branch: string): Promise<string> {
  const at = `git -C ${shellWord(checkout)}`
  if (!(await hasOrigin(checkout, {}))) {
    refuse(
      'no_remote',
      `${checkout} has no remote origin: ${at} remote add origin <url>, then try again.`,
    )
  }
  const tip = await commitOf(checkout, `refs/heads/${branch}`)
  if (tip === undefined) {
    refuse(
      'branch_elsewhere',
      `Branch ${branch} is not here: push it where it is, or first check it out.`,
    )
  }
  const ref = `refs/heads/${branch}:refs/heads/${branch}`
  try {
    await git(checkout, ['push', 'origin', ref], { timeoutMs: pushMs })
    return `Pushed: origin has ${branch} at ${tip.slice(0, 12)}.`
  } catch (error) {
    const words = wordsOf(error)
    const isBehind = /non-fast-forward|fetch first|\[rejected\]/.test(words)
    const next = isBehind
      ? `origin has commits that are not here: ${at} pull origin ${shellWord(branch)} on that branch, then try again.`
      : `nothing was pushed; by hand: ${at} push origin ${shellWord(branch)}`
    refuse('push_refused', `Git says: ${words} — ${next}`, error)
  }
}
