/** What has it is not shown any more: on a phone a file takes the place of the list, and the list that of a file. */
export function isFocusHidden(): boolean {
  return document.activeElement?.checkVisibility() === false
}

/** It is, or it is gone with what had it. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body || isFocusHidden()
}

/** Once what had the focus is gone: it goes there, unless whoever works by keys is elsewhere by then. */
export function takeLostFocus(find: () => HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) find()?.focus()
  })
}
