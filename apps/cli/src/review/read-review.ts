import type { Client } from '@svc/client/client'
import type { FileChange } from '@svc/contracts/change-rationale'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import type { Delivery } from '@svc/contracts/delivery'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Home } from '@svc/runner/files/home'
import { type FoundBranch, findBranch } from '../branches/find-branch.ts'
import { readBranches } from '../branches/recorded.ts'
import { everyPage } from '../output/every-page.ts'
import { usageFailure } from '../output/failure.ts'
import { type Run, readRuns } from '../output/run-end.ts'

/** All that a person judges a mission's work by. */
export interface Review {
  /** What was asked for: display id of the mission, or of one of its objectives. */
  ref: string
  mission: Mission
  objectives: readonly Objective[]
  /** The last one. */
  delivery: Delivery | undefined
  /** One for each branch that is meant. */
  sections: readonly Section[]
  /** Every branch of the mission. */
  branches: readonly FoundBranch[]
  /** Changes that belong to no branch that is recorded. */
  otherChanges: readonly FileChange[]
  /** The newest first. */
  runs: readonly Run[]
}

export interface Section {
  found: FoundBranch
  /** Those that worked on the branch, the newest first. */
  runs: readonly Run[]
  changes: readonly FileChange[]
}

interface Subject {
  mission: Mission
  objectives: readonly Objective[]
  /** Where one of them alone is meant. */
  objective: Objective | undefined
}

export async function readReview(
  client: Client,
  home: Home,
  ref: string,
  resource: string | undefined,
): Promise<Review> {
  const subject = await readSubject(client, ref)
  const { mission, objectives, objective } = subject
  const runs = await readRuns(client, mission.id, objectives)
  const recorded = await readBranches(client, { missionId: mission.id })
  const branches = await Promise.all(recorded.map((one) => findBranch(home, one)))
  const found = meantBy(subject, branches, runs)
  const wanted = found.filter((one) =>
    resource === undefined ? isWorkedIn(one, runs) : isOf(one, resource),
  )
  if (resource !== undefined && wanted.length === 0) refuseResource(ref, resource, found)
  const delivery = await lastDelivery(client, mission.id, objective)
  const changes = await changesOf(client, mission.id, objective)
  const sections = wanted.map((one) => sectionOf(one, runs, changes))
  const taken = new Set(found.flatMap((one) => sectionOf(one, runs, changes).changes))
  const otherChanges = changes.filter((change) => !taken.has(change))
  return { ref, mission, objectives, delivery, sections, branches, otherChanges, runs }
}

async function readSubject(client: Client, ref: string): Promise<Subject> {
  if (!isObjectiveDisplayId(ref)) {
    return { ...(await client.call('getMission', { id: ref })), objective: undefined }
  }
  const { objective } = await client.call('getObjective', { id: ref })
  return { ...(await client.call('getMission', { id: objective.missionId })), objective }
}

/** An objective without a branch of its own worked on the mission's. */
function meantBy({ objective }: Subject, all: readonly FoundBranch[], runs: readonly Run[]) {
  if (objective === undefined) return all
  const own = runs.filter(({ objectiveId }) => objectiveId === objective.id)
  return all.filter(({ recorded }) =>
    own.some((run) => branchIn(run, recorded) === recorded.branch),
  )
}

function isOf({ recorded }: FoundBranch, resource: string): boolean {
  return recorded.resourceKey === resource
}

/** A run has one in every resource that it may write to, and is not about those in which it changed nothing. */
function isWorkedIn({ recorded, state }: FoundBranch, runs: readonly Run[]): boolean {
  return state !== 'empty' || runs.some((run) => isOn(run, recorded))
}

/** What the run was prepared on in that resource, its own or another one. */
function branchIn(run: Run, { resourceKey }: MissionBranch): string | null | undefined {
  if (run.resourceKey === resourceKey) return run.branch
  return run.otherBranches.find((one) => one.resourceKey === resourceKey)?.branch
}

function isOn(run: Run, { resourceKey, branch }: MissionBranch): boolean {
  return run.resourceKey === resourceKey && run.branch === branch
}

function refuseResource(ref: string, resource: string, found: readonly FoundBranch[]): never {
  const keys = [...new Set(found.map(({ recorded }) => recorded.resourceKey))]
  const those = keys.length > 0 ? `use one of ${keys.join(', ')}` : 'none is recorded'
  throw usageFailure(`${ref} has no branch in resource ${resource}: ${those}.`)
}

async function lastDelivery(client: Client, id: string, objective: Objective | undefined) {
  const read = (query: { limit: number; cursor?: string }) =>
    client.call('listDeliveries', { id, ...query })
  if (objective === undefined) return (await read({ limit: 1 })).deliveries[0]
  for await (const { deliveries } of everyPage(read)) {
    const found = deliveries.find(({ objectiveId }) => objectiveId === objective.id)
    if (found) return found
  }
  return undefined
}

async function changesOf(
  client: Client,
  id: string,
  objective: Objective | undefined,
): Promise<FileChange[]> {
  const found: FileChange[] = []
  const read = (query: { limit: number; cursor?: string }) =>
    client.call('listFileChanges', { id, ...query })
  for await (const { fileChanges } of everyPage(read)) found.push(...fileChanges)
  return found.filter((change) => objective === undefined || change.objectiveId === objective.id)
}

/** A path that begins with the key of a resource lies there, on the branch that a run of its objective had there. */
function sectionOf(
  found: FoundBranch,
  all: readonly Run[],
  changes: readonly FileChange[],
): Section {
  const { recorded } = found
  const runs = all.filter((run) => isOn(run, recorded))
  const objectives = new Set(runs.map(({ objectiveId }) => objectiveId))
  const worksHere = (objectiveId: string) => {
    const own = all.filter((run) => run.objectiveId === objectiveId)
    const branches = own.map((run) => branchIn(run, recorded)).filter((one) => one != null)
    // one that was prepared nowhere there may have worked in another way
    return branches.length === 0 || branches.includes(recorded.branch)
  }
  const isHere = ({ filePath, objectiveId }: FileChange) => {
    const other = /^([a-z0-9][a-z0-9._-]{0,62}):/.exec(filePath)?.[1]
    if (other === undefined) return objectives.has(objectiveId)
    return other === recorded.resourceKey && worksHere(objectiveId)
  }
  return { found, runs, changes: changes.filter(isHere) }
}
