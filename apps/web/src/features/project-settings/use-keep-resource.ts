import type { ProjectResource } from '@svc/contracts/project'
import type { RouteOutput } from '@svc/contracts/rest'
import { useWorkspace } from '../../data/use-workspace.ts'

/** What one has just linked is in the list before the feed tells of it. */
export function useKeepResource(projectId: string): (resource: ProjectResource) => void {
  const { queries } = useWorkspace()
  return (resource) => {
    const queryKey = ['listProjectResources', { id: projectId }]
    queries.setQueryData<RouteOutput<'listProjectResources'>>(queryKey, (now) => {
      if (now === undefined) return now
      const at = now.resources.findIndex(({ resourceKey }) => resourceKey === resource.resourceKey)
      const known = now.resources[at]
      const listed = { ...resource, checkouts: known?.checkouts ?? [] }
      const others = now.resources.filter((one) => one !== known)
      return { resources: others.toSpliced(at === -1 ? others.length : at, 0, listed) }
    })
    // another one may not be the primary one any more
    void queries.invalidateQueries({ queryKey })
  }
}
