import type { FeedChange } from '@svc/contracts/feed'

/** What a change is called in the timeline; changes without a word are not shown. */
const words: Partial<Record<FeedChange['entity'], Record<string, string>>> = {
  execution_request: {
    queue: 'queued',
    claim: 'claimed',
    launching: 'launching',
    launched: 'launched',
    release: 'back in the queue',
    requeue: 'back in the queue',
    fail: 'failed',
    exhaust: 'failed',
    exitBeforeAttach: 'failed',
    expire: 'expired',
    lose: 'lost',
    exit: 'exited',
  },
  objective: { attach: 'executing', revive: 'executing' },
  mission_event: { update: 'update', ask: 'asks', answer: 'answered' },
  delivery: { deliver: 'delivered' },
}

export interface TimelineEntry {
  word: string
  text: string
}

/** One line of the timeline, or nothing. Pure. */
export function entryOf(change: FeedChange): TimelineEntry | undefined {
  if (change.entity === 'mission' && change.operation === 'status') {
    const phase = String(change.data['phase'])
    return phase === 'review' ? { word: 'review', text: '' } : undefined
  }
  const word = words[change.entity]?.[change.operation]
  if (word === undefined) return undefined
  return { word, text: typeof change.data['summary'] === 'string' ? change.data['summary'] : '' }
}

/** A repeated `launching`, with the branch it works on, is the same step for the reader. */
export function skipRepeats(): (entry: TimelineEntry) => boolean {
  let last = ''
  return (entry) => {
    const text = `${entry.word} ${entry.text}`
    const fresh = text !== last
    last = text
    return fresh
  }
}
