import type { BoardCard, CardBadge } from '@svc/contracts/board'
import type { RouteRequest } from '@svc/contracts/rest'
import type { StatusType } from '@svc/contracts/states'
import { priorities, statusTypes } from '../../data/contracts.values.ts'
import { searchedWords } from '../../data/searched-words.ts'
import { badgeWords } from '../../words/states.ts'

/** Which missions are shown, as the query of the address says it; an empty text is no filter. */
export interface Filters {
  text: string
  phase: StatusType | ''
  priority: BoardCard['priority'] | ''
  badge: CardBadge | ''
}

// the keys of an object literal are its key type; Object.keys only says string
export const badges = Object.keys(badgeWords) as CardBadge[]

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  const one = <T extends string>(name: string, known: readonly T[]): T | '' =>
    known.find((value) => value === given.get(name)) ?? ''
  return {
    text: given.get('q') ?? '',
    phase: one('phase', statusTypes),
    priority: one('priority', priorities),
    badge: one('badge', badges),
  }
}

export function searchOf({ text, phase, priority, badge }: Filters): Record<string, string> {
  const all = { q: text.trim(), phase, priority, badge }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

export function requestOf(
  id: string,
  { text, phase, priority, badge }: Filters,
): RouteRequest<'getBoard'> {
  const query = searchedWords(text)
  return {
    id,
    ...(query !== '' && { query }),
    ...(phase !== '' && { statusTypes: phase }),
    ...(priority !== '' && { priority }),
    ...(badge !== '' && { badge }),
  }
}

/** What is shown is some of the missions; a phase alone is some of the columns, each whole. */
export function isFiltered({ text, priority, badge }: Filters): boolean {
  return text.trim() !== '' || priority !== '' || badge !== ''
}
