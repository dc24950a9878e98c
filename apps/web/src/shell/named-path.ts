import { displayIdPatterns } from '../data/contracts.values.ts'
import { pathTo } from './routes.ts'

const mission = new RegExp(displayIdPatterns.mission)
const objective = new RegExp(displayIdPatterns.objective)

/** Where a display id leads that somebody has typed, as in web:12 or Web:12.k7qd; undefined for anything else. */
export function namedPath(typed: string): string | undefined {
  const id = typed.trim().toLowerCase()
  if (objective.test(id)) return pathTo('objective', { objective: id })
  return mission.test(id) ? pathTo('mission', { mission: id }) : undefined
}
