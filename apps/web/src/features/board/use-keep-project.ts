import type { Project } from '@svc/contracts/project'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Statuses } from './reads.ts'

/** What one has just done oneself is no change by others: the next change goes out with the revision that this one made. */
export function useKeepProject(): (project: Project) => void {
  const { queries } = useWorkspace()
  return (project) => {
    const queryKey = ['listProjectStatuses', { id: project.id }]
    queries.setQueryData<Statuses>(queryKey, (now) => now && { ...now, project })
    // what the feed tells of that revision is no news any more
    void queries.invalidateQueries({ queryKey })
  }
}
