import type { ProjectResource } from '@svc/contracts/project'
import type { Prepared } from '@svc/contracts/runner'
import type { RunOrder } from '../run/order.ts'

/** Resources with the paths of this machine; of the one to work in, where that is. */
export function placeResources(
  { assignment, checkouts }: Pick<RunOrder, 'assignment' | 'checkouts'>,
  { workingDirectory, checkout }: Pick<Prepared, 'workingDirectory' | 'checkout'>,
  resources: readonly ProjectResource[],
): ProjectResource[] {
  const { resourceKey: target } = assignment.executionRequest
  return resources.map((resource) => {
    const isTarget = resource.resourceKey === target && checkout !== 'scratch'
    const here = isTarget ? workingDirectory : checkouts[resource.resourceKey]
    return { ...resource, path: here ?? resource.path }
  })
}
