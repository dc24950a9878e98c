import { currentBranch } from '@svc/runner/git/checkout'
import { git, writeOutMs } from '@svc/runner/git/git'
import { refuse, wordsOf } from './refuse.ts'

/** Answers what to print about a hook that failed: the checkout is on the branch all the same. */
export async function switchBranch(
  checkout: string,
  branch: string,
  how: readonly string[] = ['--', branch],
): Promise<string> {
  try {
    await git(checkout, ['switch', '--quiet', ...how], { timeoutMs: writeOutMs })
    return ''
  } catch (error) {
    const words = wordsOf(error)
    if ((await currentBranch(checkout)) === branch) return ` Git says: ${words}`
    return refuse('not_switched', `Git does not switch ${checkout} to ${branch}: ${words}`, error)
  }
}
