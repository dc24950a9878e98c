import { useSyncExternalStore } from 'react'
import { age } from '../words/age.ts'
import { ago } from '../words/ago.ts'
import { until } from '../words/until.ts'
import { tick } from './tick.ts'

/** How long ago a moment was, said anew as time goes on; the moment itself for who points at it. */
export function Ago({ at }: { at: string | number }) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {ago(moment.getTime(), now)}
    </time>
  )
}

/** How long something stands yet. */
export function Until({ at }: { at: string }) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {until(moment.getTime(), now)}
    </time>
  )
}

/** For how long something has been as it is. */
export function Age({ since }: { since: string }) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const moment = new Date(since)
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {age(moment.getTime(), now)}
    </time>
  )
}
