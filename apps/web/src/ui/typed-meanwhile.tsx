import { useEffect, useLayoutEffect, useRef } from 'react'
import { takesText } from './takes-text.ts'

/** Longer than that nobody takes a key for one of the dialog: the page has its keys again. */
const patienceMs = 3_000

/**
 * In place of a dialog whose code is on its way: what is typed meanwhile is no key of the page, and goes into the field that
 * has the focus once the dialog is there. Escape gives it up, and a field that somebody goes to has its own keys.
 */
export function TypedMeanwhile({ onGiveUp }: { onGiveUp: () => void }) {
  const giveUp = useRef(onGiveUp)
  useEffect(() => {
    giveUp.current = onGiveUp
  })
  useLayoutEffect(() => {
    let typed = ''
    const hear = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (ctrlKey || metaKey || altKey || event.isComposing || takesText(target)) return
      if (key.length === 1) typed += key
      else if (key === 'Backspace') typed = typed.slice(0, -1)
      else if (key === 'Escape') {
        typed = ''
        giveUp.current()
      } else if (key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    const stop = () => document.removeEventListener('keydown', hear, { capture: true })
    document.addEventListener('keydown', hear, { capture: true })
    const timer = setTimeout(stop, patienceMs)
    return () => {
      clearTimeout(timer)
      stop()
      // once what comes in its place has taken the focus; as by hand, so that whoever draws the field hears of it
      queueMicrotask(() => {
        if (typed !== '') document.execCommand('insertText', false, typed)
      })
    }
  }, [])
  return null
}
