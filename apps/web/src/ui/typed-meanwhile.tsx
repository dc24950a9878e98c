import { useLayoutEffect } from 'react'

/**
 * In place of a dialog whose code is on its way: what is typed meanwhile is no key of the page, and goes into the field that
 * has the focus once the dialog is there.
 */
export function TypedMeanwhile() {
  useLayoutEffect(() => {
    let typed = ''
    const hear = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || event.isComposing) return
      if (key.length === 1) typed += key
      else if (key === 'Backspace') typed = typed.slice(0, -1)
      else if (key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', hear, { capture: true })
    return () => {
      document.removeEventListener('keydown', hear, { capture: true })
      // once what comes in its place has taken the focus; as by hand, so that whoever draws the field hears of it
      queueMicrotask(() => {
        if (typed !== '') document.execCommand('insertText', false, typed)
      })
    }
  }, [])
  return null
}
