import type { RouteOutput } from '@svc/contracts/rest'

export type Delivery = RouteOutput<'listDeliveries'>['deliveries'][number]
export type Branch = RouteOutput<'listBranches'>['branches'][number]

/** The command that reviews one branch on a machine that has it. */
export function reviewCommand(
  mission: string,
  { objective, resourceKey }: Branch,
  all: readonly Branch[],
): string {
  const one = all.length > 1 ? ` --resource ${resourceKey}` : ''
  return `svc review ${objective ?? mission}${one}`
}

/** Where Git has nothing to show, there is nothing to review or to merge. */
export function hasCommits({ startSha, lastSha }: Branch): boolean {
  return startSha !== lastSha
}

/** One for each branch that has something to merge, as each merges one alone. */
export function mergeCommands(mission: string, all: readonly Branch[]): string[] {
  return all.filter(hasCommits).map((one) => `${reviewCommand(mission, one, all)} --merge`)
}

/** The delivery that an address means by its objective, `k7qd` of `web:12.k7qd`, or by its own id; else the newest. */
export function meantDelivery(
  deliveries: readonly Delivery[],
  displayIds: ReadonlyMap<string, string>,
  meant: string | undefined,
): Delivery | undefined {
  const isMeant = ({ id: own, objectiveId }: Delivery) => {
    const id = displayIds.get(objectiveId)
    return meant !== undefined && [id, id?.split('.')[1], own].includes(meant)
  }
  return deliveries.find(isMeant) ?? deliveries[0]
}

/** What an address says for that delivery: its objective, or its own id where that is deleted or has a newer one. */
export function meaning(
  deliveries: readonly Delivery[],
  displayIds: ReadonlyMap<string, string>,
  delivery: Delivery,
): string {
  const short = displayIds.get(delivery.objectiveId)?.split('.')[1]
  const isEnough = short && meantDelivery(deliveries, displayIds, short) === delivery
  return isEnough ? short : delivery.id
}

/** The last of a text, as much as is looked at. */
export function lastLines(text: string, most = 12): string {
  return text.trimEnd().split('\n').slice(-most).join('\n')
}

/** Blocking ones on top. */
export function urgentFirst<T extends { blocking?: boolean | undefined }>(actions: readonly T[]) {
  return actions.toSorted(
    (one, other) => Number(other.blocking ?? false) - Number(one.blocking ?? false),
  )
}
