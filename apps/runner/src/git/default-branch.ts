import { BranchName } from '@svc/contracts/ids'
import { currentBranch } from './checkout.ts'
import { gitIfPossible } from './git.ts'
import { commitOf } from './refs.ts'

/** What branches of this repository are cut from: the default branch of `origin`, else the one that is checked out. */
export async function findDefaultBranch(checkout: string): Promise<string | undefined> {
  const args = ['symbolic-ref', '--short', '-q', 'refs/remotes/origin/HEAD']
  const remote = (await gitIfPossible(checkout, args))?.trim().replace(/^origin\//, '')
  const name = BranchName.safeParse(remote ?? (await currentBranch(checkout)))
  return name.success ? name.data : undefined
}

/** The branch has a commit here or at `origin`, or it is the one that the first commit will make. */
export async function hasBranch(checkout: string, name: string): Promise<boolean> {
  for (const ref of [`refs/remotes/origin/${name}`, `refs/heads/${name}`]) {
    if ((await commitOf(checkout, ref)) !== undefined) return true
  }
  return (await currentBranch(checkout)) === name
}
