import { takesText } from '../ui/takes-text.ts'

/** Whoever has pressed no key for that long is not in the middle of that sentence any more. */
const pauseMs = 2_000

export interface Typing {
  /** The field that somebody types into was taken away, and they may not have seen it yet. */
  isCutOff: () => boolean
}

/**
 * A drawing may take away the field that somebody types into, as when others have settled what it is about. What is typed of
 * the sentence after that is no key of the page, and presses nothing, until there is a pause, or somebody goes elsewhere.
 */
export function watchTyping(signal: AbortSignal): Typing {
  let typedInto: Element | undefined
  let over = 0
  const isCutOff = () => Date.now() < over
  const end = () => {
    typedInto = undefined
    over = 0
  }
  const hear = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, isComposing, target } = event
    // Enter in a text of many lines is one of its keys, which is heard of as what comes into it
    if (!isComposing && (key === 'Tab' || key === 'Escape')) return end()
    if (!isComposing && key === 'Enter') typedInto = undefined
    if (!isCutOff() || takesText(target)) return
    over = Date.now() + pauseMs
    event.stopPropagation()
    const presses = key.length === 1 || key === 'Enter' || key === 'Backspace'
    if (presses && !ctrlKey && !metaKey) event.preventDefault()
  }
  const observer = new MutationObserver(() => {
    if (typedInto === undefined || typedInto.isConnected) return
    typedInto = undefined
    // what stands in its place may have the next letters
    if (!takesText(document.activeElement)) over = Date.now() + pauseMs
  })
  observer.observe(document.body, { childList: true, subtree: true })
  signal.addEventListener('abort', () => observer.disconnect())
  const early = { signal, capture: true }
  document.addEventListener('keydown', hear, early)
  document.addEventListener('pointerdown', end, early)
  document.addEventListener(
    'input',
    (event) => {
      // what is chosen, in a list or by a tick, comes as another event
      if (event instanceof InputEvent && event.target instanceof Element) typedInto = event.target
    },
    early,
  )
  document.addEventListener(
    'focusin',
    ({ target }) => {
      // one in a dialog that is closed just now was not left
      const isLeft = typedInto !== target && typedInto?.checkVisibility()
      if (isLeft) typedInto = undefined
    },
    early,
  )
  return { isCutOff }
}
