import type { FileChange } from '@svc/contracts/change-rationale'
import type { RouteOutput } from '@svc/contracts/rest'
import type { RunDiff } from '@svc/contracts/run-changes'
import type { FilePatch } from './patch.ts'

export type Delivery = RouteOutput<'listDeliveries'>['deliveries'][number]
export type Branch = RouteOutput<'listBranches'>['branches'][number]

/** A changed file as it is reviewed: what the agent said of it, and what Git did. */
export interface ReviewedFile {
  path: string
  status: NonNullable<FileChange['vcsStatus']>
  additions: number | null
  deletions: number | null
  rationale: FileChange['rationale']
  patch: FilePatch | undefined
}

export interface FileGroup {
  /** The agent's word for what these have in common; none where it gave no reason. */
  label: string | undefined
  files: ReviewedFile[]
}

/** All files that are known to have changed, in groups as the agent sees them: the largest first, those without a reason last. */
export function groupsOf(
  changes: readonly FileChange[],
  diff: RunDiff | undefined,
  patches: readonly FilePatch[],
): FileGroup[] {
  const patchAt = new Map(patches.map((patch) => [patch.path, patch]))
  const sizeAt = new Map(diff?.stat.map((one) => [one.filePath, one]))
  const changeAt = new Map(changes.map((change) => [change.filePath, change]))
  const paths = new Set([...changeAt.keys(), ...sizeAt.keys(), ...patchAt.keys()])
  const groups = new Map<string | undefined, ReviewedFile[]>()
  for (const path of paths) {
    const [change, size, patch] = [changeAt.get(path), sizeAt.get(path), patchAt.get(path)]
    const label = change?.rationale?.label
    const file = {
      path,
      status: change?.vcsStatus ?? patch?.change ?? 'modified',
      additions: size?.additions ?? change?.additions ?? null,
      deletions: size?.deletions ?? change?.deletions ?? null,
      rationale: change?.rationale ?? null,
      patch,
    }
    groups.set(label, [...(groups.get(label) ?? []), file])
  }
  const byReason = [...groups].map(([label, files]) => ({ label, files }))
  const linesOf = ({ files }: FileGroup) => {
    const { additions, deletions } = sizeOf(files)
    return additions + deletions
  }
  return byReason.toSorted(
    (one, other) =>
      Number(one.label === undefined) - Number(other.label === undefined) ||
      linesOf(other) - linesOf(one),
  )
}

export function sizeOf(files: readonly Pick<ReviewedFile, 'additions' | 'deletions'>[]) {
  return {
    additions: files.reduce((sum, one) => sum + (one.additions ?? 0), 0),
    deletions: files.reduce((sum, one) => sum + (one.deletions ?? 0), 0),
  }
}

/** The command that reviews one branch on a machine that has it. */
export function reviewCommand(
  mission: string,
  { objective, resourceKey }: Branch,
  all: readonly Branch[],
): string {
  const one = all.length > 1 ? ` --resource ${resourceKey}` : ''
  return `svc review ${objective ?? mission}${one}`
}

/** The delivery that an address means by its objective, `k7qd` of `web:12.k7qd`; else the newest. */
export function meantDelivery(
  deliveries: readonly Delivery[],
  displayIds: ReadonlyMap<string, string>,
  meant: string | undefined,
): Delivery | undefined {
  const isMeant = ({ objectiveId }: Delivery) => {
    const id = displayIds.get(objectiveId)
    return meant !== undefined && (id === meant || id?.split('.')[1] === meant)
  }
  return deliveries.find(isMeant) ?? deliveries[0]
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

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
