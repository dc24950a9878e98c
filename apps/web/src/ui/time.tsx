import { useSyncExternalStore } from 'react'
import { age } from '../words/age.ts'
import { ago } from '../words/ago.ts'
import { moment as momentWords } from '../words/moment.ts'
import { againIn, goodFor, until } from '../words/until.ts'
import { tick } from './tick.ts'

interface SaidProps {
  at: string | number
  /** What it is called as of now. */
  say: (at: number, now: number) => string
}

/** Said anew as time goes on; the moment itself for who points at it. */
function Said({ at, say }: SaidProps) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={momentWords(moment)}>
      {say(moment.getTime(), now)}
    </time>
  )
}

/** How long ago a moment was. */
export function Ago({ at }: { at: string | number }) {
  return <Said at={at} say={ago} />
}

/** How long something stands yet. */
export function Until({ at }: { at: string }) {
  return <Said at={at} say={until} />
}

/** When something is tried again: in 5 min, or now. */
export function AgainIn({ at }: { at: string }) {
  return <Said at={at} say={againIn} />
}

/** How long something can be used: good for another 3 days, or good no longer. */
export function GoodFor({ at }: { at: string }) {
  return <Said at={at} say={goodFor} />
}

/** For how long something has been as it is. */
export function Age({ since }: { since: string }) {
  return <Said at={since} say={age} />
}
