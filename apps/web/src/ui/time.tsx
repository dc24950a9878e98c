import { useSyncExternalStore } from 'react'
import { ago } from '../words/ago.ts'
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
