import { limits } from '@svc/contracts/limits'
import type { ProjectResource } from '@svc/contracts/project'
import { type Prepared, type PreparedOther, usesWorktrees } from '@svc/contracts/assignment'
import type { RunOrder } from '../run/order.ts'

type Order = Pick<RunOrder, 'assignment' | 'checkouts'>
interface Located extends Pick<Prepared, 'workingDirectory' | 'checkout'> {
  others: readonly Pick<PreparedOther, 'resourceKey' | 'workingDirectory'>[]
}

/**
 * Resources with the paths of this machine: those that the run may write to where it has a working tree of them, and
 * nowhere else, so that nobody commits in the checkout of a person who does not know of it.
 */
export function locateResources(
  { assignment, checkouts }: Order,
  { workingDirectory, checkout, others }: Located,
  resources: readonly ProjectResource[],
): ProjectResource[] {
  const { resourceKey: target } = assignment.executionRequest
  const ownOnly = usesWorktrees(assignment)
  return resources.map((resource) => {
    const { resourceKey, permission } = resource
    const isTarget = resourceKey === target && checkout !== 'scratch'
    if (isTarget) return { ...resource, path: workingDirectory }
    if (ownOnly && permission === 'rw') {
      const other = others.find((one) => one.resourceKey === resourceKey)
      return other === undefined
        ? { ...resource, state: 'unavailable', path: null }
        : { ...resource, path: other.workingDirectory }
    }
    return { ...resource, path: checkouts[resourceKey] ?? resource.path }
  })
}

/** The resources in which a run gets a working tree in addition to its own. */
export function otherResources(order: Order): string[] {
  return isOnNone(order) ? [] : otherWritable(order).slice(0, limits.otherResources)
}

/** The resources in which it may write and gets no working tree all the same, with the reason. */
export function passedOver(order: Order): Map<string, string> {
  const why = isOnNone(order)
    ? 'This run was launched on no resource, so that it has a working tree of none.'
    : `A run has a working tree of ${limits.otherResources} resources in addition to its own at most, the first by their keys: what is to be done in this one takes a run that is launched on it.`
  const taken = otherResources(order)
  const passed = otherWritable(order).filter((resourceKey) => !taken.includes(resourceKey))
  return new Map(passed.map((resourceKey) => [resourceKey, why]))
}

function isOnNone({ assignment }: Order): boolean {
  return assignment.executionRequest.resourceKey === null
}

/**
 * Other resources that the run may write to and that are checked out here. Without worktrees nobody is given a checkout of
 * their own, and a run works only in the resource that it is launched on.
 */
function otherWritable({ assignment, checkouts }: Order): string[] {
  if (!usesWorktrees(assignment)) return []
  const { resourceKey: own } = assignment.executionRequest
  return assignment.resources
    .filter(({ permission, resourceKey }) => permission === 'rw' && resourceKey !== own)
    .map(({ resourceKey }) => resourceKey)
    .filter((resourceKey) => checkouts[resourceKey] !== undefined)
    .toSorted()
}
