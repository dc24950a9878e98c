import { useStore, useWorkspace } from '../data/use-workspace.ts'
import type { Wording } from '../words/states.ts'
import { Badge } from '../ui/badge.tsx'

type How = 'live' | 'connecting' | 'away' | 'unreached' | 'signed-out'

const words: Readonly<Record<How, Wording>> = {
  live: { sign: '●', word: 'live', tone: 'good', sentence: 'What changes is shown as it happens.' },
  connecting: {
    sign: '◌',
    word: 'connecting',
    tone: 'quiet',
    sentence: 'Changes are about to be followed.',
  },
  away: {
    sign: '◌',
    word: 'reconnecting',
    tone: 'waits',
    sentence: 'Changes are not heard just now; what is shown may be old.',
  },
  unreached: { sign: '!', word: 'offline', tone: 'bad', sentence: 'The service is not reached.' },
  'signed-out': { sign: '!', word: 'signed out', tone: 'bad', sentence: 'Your sign-in has ended.' },
}

/** Whether what is shown is kept true. */
export function LiveMark() {
  const { isReached, isSignedIn, feed } = useStore(useWorkspace().service.connection)
  const how: How = !isSignedIn ? 'signed-out' : !isReached ? 'unreached' : feed
  return (
    <span role="status">
      <Badge of={words[how]} />
    </span>
  )
}
