import type { FeedEvent } from '@svc/client/browser'
import type { FeedChange, FeedLog } from '@svc/contracts/feed'

/**
 * What the live feed tells every tab of a browser. `start`: what is read from now on holds all that came before;
 * `reset`: something may have been missed, so what is shown is read anew.
 */
export type News =
  // the version of the service, which a tab of an older version of this app does not hand on
  | { type: 'start'; cursor: string; version?: string }
  | { type: 'change'; cursor: string; change: FeedChange }
  | { type: 'log'; cursor: string; log: FeedLog }
  | { type: 'reset'; cursor: string }
  | { type: 'away' }
  | { type: 'signed-out' }

/** Nothing for what a later version of the service may tell. */
export function newsOf(event: FeedEvent): News | undefined {
  switch (event.event) {
    case 'start':
      return { type: 'start', cursor: event.id, version: event.data.version }
    case 'change':
      return { type: 'change', cursor: event.id, change: event.data }
    case 'log':
      return { type: 'log', cursor: event.id, log: event.data }
    case 'reset':
      return { type: 'reset', cursor: event.id }
    default:
      return undefined
  }
}

/** That the change made the thing; undefined where it has none. */
export function revisionOf({ revision }: FeedChange): number | undefined {
  return revision ?? undefined
}
