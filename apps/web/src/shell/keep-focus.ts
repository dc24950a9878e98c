import type { Typing } from './cut-off.ts'

/** Where the focus was: what it is in, from the inside out, with the place of each among its siblings. */
interface Place {
  element: HTMLElement
  above: { element: Element; at: number }[]
  /** It could not have the focus for a while, as a button whose call is on its way. */
  isDisabled: boolean
}

const noFields = 'a[href], button:enabled, summary, [tabindex]'
const canHaveFocus = `${noFields}, input:enabled, select:enabled, textarea:enabled`

/**
 * What had the focus and is taken away, or disabled for a while, leaves it on nothing: whoever works by keys would begin
 * anew at the top of the page. It goes back to what is enabled again, or on to what stands where it was; in the middle of a
 * sentence to no other field, which the rest of it is not meant for.
 */
export function keepFocus(signal: AbortSignal, typing: Typing): void {
  let last: Place | undefined
  let isLooking = false
  // a finger has no focus to lose, and a field that took it would open the keyboard of a phone
  let byKeys = false
  const look = () => {
    isLooking = false
    if (last === undefined || document.activeElement !== document.body) return
    // the row of an open menu that had it is gone
    const menu = document.querySelector<HTMLElement>('[role="menu"]')
    if (menu) menu.focus()
    else if (!last.element.isConnected) {
      const which = typing.isCutOff() ? noFields : canHaveFocus
      nextTo(last, which)?.focus({ preventScroll: true })
    } else if (last.isDisabled && last.element.matches(':enabled')) last.element.focus()
  }
  const observer = new MutationObserver(() => {
    if (last === undefined || !byKeys) return
    // it has the focus until the next frame
    if (last.element.matches(':disabled')) last.isDisabled = true
    if (isLooking || document.activeElement !== document.body) return
    isLooking = true
    // whoever takes it away may have a better place for the focus, which has it in the next frame
    requestAnimationFrame(() => requestAnimationFrame(look))
  })
  const what = { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] }
  observer.observe(document.body, what)
  signal.addEventListener('abort', () => observer.disconnect())
  document.addEventListener('keydown', () => (byKeys = true), { signal, capture: true })
  document.addEventListener('pointerdown', () => (byKeys = false), { signal, capture: true })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      // a menu is nowhere on the page: where its button is, it was
      if (target instanceof HTMLElement && !target.closest('[role="menu"]')) last = placeOf(target)
    },
    { signal },
  )
}

function placeOf(element: HTMLElement): Place {
  const above: Place['above'] = []
  let inner: Element = element
  for (
    let outer = inner.parentElement;
    outer && outer !== document.body;
    outer = outer.parentElement
  ) {
    above.push({ element: outer, at: Array.prototype.indexOf.call(outer.children, inner) })
    inner = outer
  }
  return { element, above, isDisabled: false }
}

/** In the nearest part of the page that is there still: what stands at that place now, else its first. */
function nextTo({ above }: Place, which: string): HTMLElement | undefined {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  for (const { element, at } of above) {
    if (!element.isConnected || (dialog && !dialog.contains(element))) continue
    const next = element.children[Math.min(at, element.children.length - 1)]
    const found = (next && firstIn(next, which)) ?? firstIn(element, which)
    if (found) return found
  }
  return (dialog && firstIn(dialog, which)) ?? document.getElementById('main') ?? undefined
}

function firstIn(part: Element, which: string): HTMLElement | undefined {
  const all = [part, ...part.querySelectorAll(which)]
  return all.find(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.matches(which) && one.checkVisibility(),
  )
}
