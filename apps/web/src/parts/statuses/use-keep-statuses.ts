import type { Project } from '@svc/contracts/project'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Statuses } from './reads.ts'

/** What one has just done oneself is no change by others: the next change goes out with the revision that this one made. */
export function useKeepStatuses(): (answer: Partial<Statuses> & { project: Project }) => void {
  const { queries } = useWorkspace()
  return (answer) => {
    const queryKey = ['listProjectStatuses', { id: answer.project.id }]
    queries.setQueryData<Statuses>(queryKey, (now) => now && { ...now, ...answer })
    // what the feed tells of that revision is no news any more
    void queries.invalidateQueries({ queryKey })
  }
}
