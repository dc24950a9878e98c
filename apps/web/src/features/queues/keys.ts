import type { RouteName } from '@svc/contracts/rest'
import type { Key } from '../../shell/keys.ts'

interface Does {
  mayCall: (operation: RouteName) => boolean
  /** To the entry after the one that has the focus, or before it. */
  walk: (step: 1 | -1) => unknown
  /** Of the entry that has the focus. */
  step: (by: 1 | -1) => unknown
  retry: () => unknown
  remove: () => unknown
  /** Of the queue that has the focus, or of the first one. */
  start: () => unknown
  pause: () => unknown
  create: () => unknown
}

/** The keys of the page; what somebody may not do has none. */
export function queueKeys(does: Does): Key[] {
  const { mayCall } = does
  const mine = (operation: RouteName, ...keys: Key[]) => (mayCall(operation) ? keys : [])
  return [
    { keys: 'j', does: 'the next entry', run: () => does.walk(1) },
    { keys: 'k', does: 'the entry before', run: () => does.walk(-1) },
    { keys: 'Enter', does: 'open the objective', run: () => false },
    ...mine(
      'orderRunQueueEntries',
      { keys: 'Alt+ArrowUp', does: 'the entry one place up', run: () => does.step(-1) },
      { keys: 'Alt+ArrowDown', does: 'the entry one place down', run: () => does.step(1) },
    ),
    ...mine('retryRunQueueEntry', { keys: 't', does: 'try it again', run: does.retry }),
    ...mine('removeRunQueueEntry', { keys: 'Delete', does: 'take it out', run: does.remove }),
    ...mine('startRunQueue', { keys: 's', does: 'start the queue', run: does.start }),
    ...mine('pauseRunQueue', {
      keys: 'p',
      does: 'pause the queue, or let it go on',
      run: does.pause,
    }),
    ...mine('createRunQueue', { keys: 'c', does: 'new queue', run: does.create }),
  ]
}
