import { type GitOptions, GitError, gitIfPossible, gitWith } from './git.ts'

/** Git's own way to merge texts, as a driver of that name. */
const byGitItself = 'git merge-file --quiet --marker-size=%L %A %O %B'

/**
 * The tree of both merged; undefined where they conflict. Nobody has asked for that merge, so that no program runs which
 * stands in the repository's own configuration, where an agent can write: files with such a driver are merged as texts.
 * Drivers and filters that a person has set up for all repositories are theirs.
 */
export async function mergedTree(
  checkout: string,
  [one, other]: readonly [string, string],
  options: GitOptions = {},
): Promise<string | undefined> {
  const drivers = await ownDrivers(checkout, options)
  const settings = [
    // it would put both sides through the repository's filters
    ['merge.renormalize', 'false'] as const,
    ...drivers.map((name) => [name, byGitItself] as const),
  ]
  try {
    const args = ['merge-tree', '--write-tree', one, other]
    return (await gitWith(variablesOf(settings), checkout, args, options)).trim()
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** Names of settings that stand in the configuration of the repository or of this worktree. */
async function ownDrivers(checkout: string, options: GitOptions): Promise<string[]> {
  const asked = [
    '--null',
    '--show-scope',
    '--name-only',
    '--get-regexp',
    String.raw`^merge\..*\.driver$`,
  ]
  const printed = (await gitIfPossible(checkout, ['config', ...asked], options)) ?? ''
  const parts = printed.split('\0')
  const isOwn = (scope: string | undefined) => scope === 'local' || scope === 'worktree'
  return parts.filter((_, at) => at % 2 === 1 && isOwn(parts[at - 1]))
}

/** Settings of one command, whatever characters their names hold. */
function variablesOf(
  settings: readonly (readonly [name: string, value: string])[],
): Record<string, string> {
  const named = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return Object.fromEntries([['GIT_CONFIG_COUNT', String(settings.length)], ...named])
}
