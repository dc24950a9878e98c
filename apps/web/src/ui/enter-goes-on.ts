import { type KeyboardEvent, type RefObject, useRef } from 'react'

/**
 * For the line above a text of a form. Enter in it goes on in the text, at its end, where one is begun there: who goes back to
 * the line has seldom ended it, and nothing that is not ended is to be sent.
 */
export function useEnterGoesOn(isBegun: boolean): {
  area: RefObject<HTMLTextAreaElement | null>
  goOn: (event: KeyboardEvent) => void
} {
  const area = useRef<HTMLTextAreaElement>(null)
  const goOn = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing
    if (event.key !== 'Enter' || !isPlain || !isBegun) return
    event.preventDefault()
    const { current } = area
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }
  return { area, goOn }
}
