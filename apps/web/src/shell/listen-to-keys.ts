import { takesText } from '../ui/takes-text.ts'
import type { Keyboard } from './keys.ts'

/** Hands the keys of the page to the keyboard, until the signal aborts. */
export function listenToKeys(keyboard: Keyboard, signal: AbortSignal): void {
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    // behind an open dialog nothing of the page acts, and its own keys are combinations
    const hasDialog = document.querySelector('dialog[open]') !== null
    if (hasDialog && !isInDialog(event.target)) return
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const inField = hasDialog || takesText(event.target)
    if (keyboard.press({ key, ctrlKey, metaKey, altKey, shiftKey, inField })) event.preventDefault()
  }
  document.addEventListener('keydown', hear, { signal })
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}
