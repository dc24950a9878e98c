import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { everyPage } from '../output/every-page.ts'

/** All recorded branches of a mission, or of that name: a mission's own before those of its objectives. */
export async function readBranches(
  client: Client,
  wanted: { missionId?: string; branch?: string },
): Promise<MissionBranch[]> {
  const found: MissionBranch[] = []
  const read = (page: { limit: number; cursor?: string }) =>
    client.call('listBranches', { ...wanted, ...page })
  for await (const { branches } of everyPage(read)) found.push(...branches)
  return found.toSorted(byResource)
}

export function byResource(one: MissionBranch, other: MissionBranch): number {
  return (
    compare(one.resourceKey, other.resourceKey) ||
    compare(one.objectiveId ?? '', other.objectiveId ?? '')
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
