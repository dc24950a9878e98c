import { type Dirent, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readUntrusted } from '@svc/process/untrusted-file'
import { homeAt } from '../files/home.ts'
import { runsLostIn } from '../git/checkout-holders.ts'
import { gitPath } from '../git/git.ts'
import type { NamedCheckout } from '../git/named-checkout.ts'
import { LaunchRelease } from '../launch-failure.ts'
import { livesAny } from '../processes/graceful-termination.ts'
import { type JournalStep, findStep, foldersOf, leadersOf, readJournal } from '../run/journal.ts'
import type { RunOrder } from '../run/order.ts'
import { listRunFolders } from '../run/run-folder.ts'

const mostBytes = 64 * 1024

type Of = Pick<RunOrder, 'home' | 'bootId'>

/**
 * Removes what keeps everybody from committing in a worktree of this runner since a Git of an ended run was killed in it.
 * With a lock that may be somebody else's the run is given back. Whoever calls holds the repository's lock, and nobody is
 * in the worktree.
 */
export function clearStaleLocks({ checkout, name }: NamedCheckout, of: Of): void {
  const locks = locksIn(checkout)
  const [stays] = stayingOf(locks, checkout, of)
  if (stays !== undefined) {
    throw new LaunchRelease(
      'checkout_busy',
      `Git has locked ${name}, so that nothing can be committed there: if no Git is at work in it, remove ${stays}.`,
      { checkout },
    )
  }
  for (const path of locks) rmSync(path, { force: true })
}

/** Those of which nobody can say that the Git which made them is gone. */
export function locksThatStay(worktree: string, of: Of): string[] {
  return stayingOf(locksIn(worktree), worktree, of)
}

function stayingOf(locks: readonly string[], worktree: string, of: Of): string[] {
  if (locks.length === 0) return []
  const endedAt = endOfRunsIn(worktree, of)
  return locks.filter((path) => endedAt === undefined || !isOlder(path, endedAt))
}

/** Directly in Git's own folder of the worktree: deeper, and above it, lies what it shares with others. */
function locksIn(worktree: string): string[] {
  const folder = ownGitFolder(worktree)
  if (folder === undefined) return []
  const isLock = (entry: Dirent) => entry.isFile() && entry.name.endsWith('.lock')
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter(isLock).map(({ name }) => join(folder, name))
}

/** `.git/worktrees/<name>`, where each of both names the other: an agent can write into its worktree. */
function ownGitFolder(worktree: string): string | undefined {
  try {
    const folder = gitPath(worktree, '.')
    if (folder === undefined || basename(dirname(folder)) !== 'worktrees') return undefined
    const text = readUntrusted(join(folder, 'gitdir'), mostBytes) ?? ''
    const pointer = text.replace(/\n$/, '')
    const isIts = realpathSync(resolve(folder, pointer)) === realpathSync(join(worktree, '.git'))
    return isIts ? folder : undefined
  } catch {
    return undefined
  }
}

/** When the last of them was over; undefined while a process of one lives, and where nothing of them is known. */
function endOfRunsIn(worktree: string, { home, bootId }: Of): number | undefined {
  const lost = runsLostIn(worktree)
  const ends = listRunFolders(homeAt(home)).flatMap((folder) => {
    const steps = readJournal(folder)
    const wasThere = lost.includes(folder) || foldersOf(steps).includes(worktree)
    return wasThere ? [endOf(steps, bootId)] : []
  })
  return ends.length > 0 && ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined
}

function endOf(steps: readonly JournalStep[], bootId: string): number | undefined {
  const claimed = findStep(steps, 'claimed')
  const ended = findStep(steps, 'ended')
  if (claimed === undefined || ended === undefined) return undefined
  const leaders = leadersOf(steps, { andSupervisor: true })
  const lives = claimed.bootId === bootId && livesAny(leaders, claimed)
  return lives ? undefined : Date.parse(ended.at)
}

function isOlder(path: string, at: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.mtimeMs < at
}
