import type { Mission } from '@svc/contracts/mission'
import type { RouteRequest } from '@svc/contracts/rest'
import type { StatusType } from '@svc/contracts/states'
import { priorities, statusTypes } from '../../data/contracts.values.ts'
import { searchedWords } from '../../data/searched-words.ts'

/** Which missions are shown, as the query of the address says it; an empty text is no filter. */
export interface Filters {
  text: string
  /** Its slug. */
  project: string
  phase: StatusType | ''
  priority: Mission['priority'] | ''
}

const missionsAtOnce = 30

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  const one = <T extends string>(name: string, known: readonly T[]): T | '' =>
    known.find((value) => value === given.get(name)) ?? ''
  return {
    text: given.get('q') ?? '',
    project: given.get('project') ?? '',
    phase: one('phase', statusTypes),
    priority: one('priority', priorities),
  }
}

export function searchOf({ text, project, phase, priority }: Filters): Record<string, string> {
  const all = { q: text.trim(), project, phase, priority }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

export function requestOf({
  text,
  project,
  phase,
  priority,
}: Filters): RouteRequest<'listMissions'> {
  const query = searchedWords(text)
  return {
    limit: missionsAtOnce,
    ...(query !== '' && { query, matches: 'true' as const }),
    ...(project !== '' && { projectId: project }),
    ...(phase !== '' && { statusTypes: phase }),
    ...(priority !== '' && { priority }),
  }
}
