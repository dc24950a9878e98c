import { useSyncExternalStore } from 'react'
import { tick } from '../../ui/tick.ts'
import { Until } from '../../ui/time.tsx'

/** When a delivery that waits is sent next. */
export function NextTry({ at }: { at: string }) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  if (new Date(at).getTime() <= now) return 'It is sent now.'
  return (
    <>
      Its next try is due in <Until at={at} />.
    </>
  )
}
