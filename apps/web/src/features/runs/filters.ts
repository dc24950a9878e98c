import type { RouteRequest } from '@svc/contracts/rest'
import { liveRunStates, runStates } from '../../data/contracts.values.ts'

/** Which runs are shown, as the query of the address says it; an empty text is no filter. */
export interface Filters {
  /** Its slug. */
  project: string
  /** The id of a runner. */
  runner: string
  /** States of runs with commas between them, or `live`. */
  states: string
  /** Display ids, which links to this page give. */
  mission: string
  objective: string
}

const names = ['project', 'runner', 'states', 'mission', 'objective'] as const
export const live = 'live'
const runsAtOnce = 50

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  const one = (name: (typeof names)[number]) => given.get(name) ?? ''
  return {
    project: one('project'),
    runner: one('runner'),
    states: statesIn(one('states')),
    mission: one('mission'),
    objective: one('objective'),
  }
}

/** Those that there are; a state that nobody knows is no filter. */
function statesIn(given: string): string {
  if (given === live) return live
  const asked = given.split(',')
  return runStates.filter((state) => asked.includes(state)).join(',')
}

export function searchOf(filters: Filters): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])),
  )
}

export function requestOf(filters: Filters): RouteRequest<'listExecutionRequests'> {
  const { project, runner, states, mission, objective } = filters
  return {
    limit: runsAtOnce,
    ...(project !== '' && { projectId: project }),
    ...(runner !== '' && { runnerId: runner }),
    ...(states !== '' && { states: states === live ? liveRunStates.join(',') : states }),
    ...(mission !== '' && { missionId: mission }),
    ...(objective !== '' && { objectiveId: objective }),
  }
}
