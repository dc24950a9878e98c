import type { Need } from '@svc/contracts/need'
import { pathTo } from '../../shell/routes.ts'
import { stepTarget } from '../../shell/step-targets.ts'

/** The page where one sees all of it; undefined where none is there for it. */
export function placeOf(need: Need): string | undefined {
  if ('objective' in need) return pathTo('objective', { objective: need.objective.displayId })
  if (need.kind === 'review') return pathTo('review', { mission: need.mission.displayId })
  return need.next && stepTarget(need.next).path
}
