import type { RouteRequest } from '@svc/contracts/rest'
import { firstItems } from '../../shell/inbox-count.ts'

/** Which items are shown, as the query of the address says it; nothing stands there for those that are open. */
export const states = ['open', 'turned', 'all'] as const
export type State = (typeof states)[number]

export function readState(search: string): State {
  const given = new URLSearchParams(search).get('state')
  return states.find((state) => state === given) ?? 'open'
}

export function searchOf(state: State): Record<string, string> {
  return state === 'open' ? {} : { state }
}

export function requestOf(state: State): RouteRequest<'listInboxItems'> {
  return { ...firstItems, state }
}
