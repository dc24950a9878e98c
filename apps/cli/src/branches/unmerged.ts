import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import type { Home } from '@svc/runner/files/home'
import { type FoundBranch, findBranch, isUnmerged } from './find-branch.ts'
import { byResource, readBranches } from './recorded.ts'

/** What closing a mission leaves outside its base, as far as this machine knows. */
async function unmergedOf(client: Client, home: Home, missionId: string): Promise<MissionBranch[]> {
  return await isNotMerged(home, await readBranches(client, { missionId }))
}

export async function isNotMerged(
  home: Home,
  recorded: readonly MissionBranch[],
): Promise<MissionBranch[]> {
  const found = await Promise.all(recorded.toSorted(byResource).map((one) => look(home, one)))
  return found.filter(isUnmerged).map((one) => one.recorded)
}

/** The state of a branch is unknown where Git refuses its repository. */
async function look(
  home: Home,
  recorded: MissionBranch,
): Promise<Pick<FoundBranch, 'recorded' | 'state'>> {
  const unknown = { recorded, state: 'unknown' } as const
  return await findBranch(home, recorded).catch(() => unknown)
}

/** The same after something was done, which stands whether or not this can be found out. */
export async function leftUnmerged(
  ...args: Parameters<typeof unmergedOf>
): Promise<readonly MissionBranch[]> {
  return await unmergedOf(...args).catch(() => [])
}

/** What is printed for a person who closed such a mission. */
export function closedWithout(displayId: string, unmerged: readonly MissionBranch[]): string[] {
  const open = notMerged(unmerged)
  if (open === undefined) return []
  return [
    `warning: ${displayId} is closed without merging: ${open}.`,
    `See what is left: svc review ${displayId}`,
  ]
}

/** In a sentence, `undefined` of none. A merge that this machine has not fetched is not known here. */
export function notMerged(unmerged: readonly MissionBranch[]): string | undefined {
  const [first, ...others] = unmerged.map(
    ({ branch, resourceKey, baseBranch }) =>
      `${branch} of ${resourceKey} is not merged into ${baseBranch}`,
  )
  return first === undefined ? undefined : `${[first, ...others].join(', ')}, as known here`
}
