import type { AuditAction } from '@svc/contracts/audit'
import type { RouteRequest } from '@svc/contracts/rest'
import { auditWords } from '../../words/audit.ts'

/** Which entries are shown, as the query of the address says it; an empty text is no filter. */
export interface Filters {
  /** The id of whoever did it. */
  who: string
  what: AuditAction | ''
  /** The id of what it was done to. */
  of: string
  /** Days, by the clock of whoever looks. */
  since: string
  until: string
  /** The entries before this one. */
  cursor: string
}

const atOnce = 50
const names = ['who', 'what', 'of', 'since', 'until', 'cursor'] as const

// the keys of an object literal are its key type; Object.keys only says string
export const auditActions = Object.keys(auditWords) as AuditAction[]

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  const one = (name: (typeof names)[number]) => given.get(name) ?? ''
  return {
    who: idIn(one('who')),
    what: auditActions.find((action) => action === one('what')) ?? '',
    of: idIn(one('of')),
    since: dayIn(one('since')),
    until: dayIn(one('until')),
    cursor: idIn(one('cursor')),
  }
}

/** What is none would be refused. */
function idIn(given: string): string {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given) ? given : ''
}

/** Of a year that people mean; the same day, or none. */
export function dayIn(given: string): string {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : ''
}

/** Where a day begins for whoever looks, or the one so many days later. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

export function searchOf(filters: Filters): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])),
  )
}

export function requestOf({
  who,
  what,
  of,
  since,
  until,
  cursor,
}: Filters): RouteRequest<'listAudit'> {
  return {
    limit: atOnce,
    ...(who !== '' && { actorId: who }),
    ...(what !== '' && { action: what }),
    ...(of !== '' && { targetId: of }),
    ...(since !== '' && { since: startOf(since) }),
    ...(until !== '' && { before: startOf(until, 1) }),
    ...(cursor !== '' && { cursor }),
  }
}
