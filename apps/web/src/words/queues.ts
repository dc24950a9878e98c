import type { RunQueueEntry, WholeQueue } from '@svc/contracts/run-queue'
import { entryReasons } from '../data/contracts.values.ts'
import { isInFlight } from '../data/states.ts'
import { endsWords, limitWords } from './reasons.ts'
import { entryReasonWords } from './states.ts'

type Queue = Pick<WholeQueue, 'state' | 'entries' | 'advanceOwedSince'>

/** When the first that waits is launched, by what its queue is at. */
const firstWords: Readonly<Record<WholeQueue['state'], string>> = {
  idle: 'It is the first: a start launches it, and so does the next delivery of its project.',
  running: 'It is the next: the delivery of what runs launches it.',
  owing: 'It is about to be launched.',
  paused: 'It is the first, once its queue goes on.',
}

/**
 * It waits for a start as well as for the end of its pause, which launches nothing but what a delivery, a person's retry or
 * what runs has asked for. A start does both.
 */
export function needsStart({ state, entries, advanceOwedSince }: Queue): boolean {
  return (
    state === 'paused' &&
    advanceOwedSince === null &&
    entries.some((entry) => entry.state === 'waiting') &&
    !entries.some((entry) => isInFlight(entry) || entry.turnGrantedBy !== null)
  )
}

/** Why an entry is not launched now, and who ends that: a sentence each. */
export function waitOf(entry: RunQueueEntry, queue: Queue): string[] {
  if (isInFlight(entry)) return entry.hold ? [limitWords[entry.hold.reason]] : []
  const { reason, turnGrantedBy } = entry
  if (reason === null) return []
  if (reason !== 'turn') return [entryReasonWords[reason], endsWords[entryReasons[reason].ends]]
  if (turnGrantedBy !== null) return ['Somebody has said that its turn is next.']
  const first = queue.entries.find(({ state }) => state === 'waiting')
  if (first?.id !== entry.id) return [entryReasonWords.turn, endsWords.time]
  return [
    needsStart(queue)
      ? 'It is the first: a start launches it and ends the pause.'
      : firstWords[queue.state],
  ]
}
