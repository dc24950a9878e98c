import { useSyncExternalStore } from 'react'
import { tick } from '../../ui/tick.ts'
import { Until } from '../../ui/time.tsx'
import { duesOfTry } from '../../words/webhooks.ts'

interface NextTryProps {
  at: string
  /** That of its webhook; undefined while that is not known. */
  disabledAt: string | null | undefined
}

/** When a delivery that waits is sent next. */
export function NextTry({ at, disabledAt }: NextTryProps) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const said = duesOfTry({ at, disabledAt }, now)
  if (said !== undefined) return said
  return (
    <>
      Its next try is due in <Until at={at} />.
    </>
  )
}
