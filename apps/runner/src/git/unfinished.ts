import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions, git } from './git.ts'
import type { NamedCheckout } from './named-checkout.ts'

/** Commands that stop half-way, by what they leave in Git's folder of the working tree. */
const traces = [
  ['rebase', 'rebase-merge'],
  ['rebase', 'rebase-apply'],
  ['merge', 'MERGE_HEAD'],
  ['cherry-pick', 'CHERRY_PICK_HEAD'],
  ['revert', 'REVERT_HEAD'],
] as const

/** The Git command that was begun in a working tree and neither finished nor taken back. */
export async function findUnfinished(
  checkout: string,
  options: GitOptions,
): Promise<string | undefined> {
  const folder = await ownFolder(checkout, options)
  return traces.find(([, trace]) => existsSync(join(folder, trace)))?.[0]
}

/** Git switches to no branch in the midst of one. */
export async function refuseUnfinished(
  { checkout, name }: NamedCheckout,
  options: GitOptions,
): Promise<void> {
  const command = await findUnfinished(checkout, options)
  if (command === undefined) return
  throw new LaunchFailure(
    'branch_conflict',
    `A ${command} is half done in ${name}: finish it there with git ${command} --continue, or take it back with git ${command} --abort, and launch again.`,
    'prepare',
  )
}

/** Git's own folder of this working tree, which it shares with no other. */
async function ownFolder(checkout: string, options: GitOptions): Promise<string> {
  const printed = await git(checkout, ['rev-parse', '--absolute-git-dir'], options)
  return printed.replace(/\n$/, '')
}
