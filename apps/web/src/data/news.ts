import type { FeedEvent } from '@svc/client/browser'
import type { FeedChange } from '@svc/contracts/feed'

/**
 * What the live feed tells every tab of a browser. `start`: what is read from now on holds all that came before;
 * `reset`: something may have been missed, so what is shown is read anew.
 */
export type News =
  | { type: 'start'; cursor: string | undefined }
  | { type: 'change'; cursor: string; change: FeedChange }
  | { type: 'reset'; cursor: string | undefined }
  | { type: 'away' }
  | { type: 'signed-out' }

/** Nothing for what a later version of the service may tell. */
export function newsOf(event: FeedEvent): News | undefined {
  switch (event.event) {
    case 'change':
      return { type: 'change', cursor: event.id, change: event.data }
    case 'reset':
      return { type: 'reset', cursor: event.id }
    default:
      return undefined
  }
}

/** Of the thing that changed, where the service says it. */
export function revisionOf(change: FeedChange): number | undefined {
  const revision = 'revision' in change ? change.revision : change.data['revision']
  return typeof revision === 'number' ? revision : undefined
}
