import { LaunchFailure } from '../launch-failure.ts'
import { type GitOptions, git } from './git.ts'

/** The first that merges two trees without a checkout, by which squashed work is known. */
const needed = { major: 2, minor: 38 }

export async function requireGit(checkout: string, options: GitOptions = {}): Promise<void> {
  const printed = (await git(checkout, ['version'], options)).trim()
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed) ?? []
  const isEnough =
    Number(major) > needed.major ||
    (Number(major) === needed.major && Number(minor) >= needed.minor)
  if (isEnough) return
  throw new LaunchFailure(
    'bad_working_directory',
    `The runner has ${printed}, and Git ${needed.major}.${needed.minor} or newer is needed: update Git there and launch again.`,
    'prepare',
  )
}
