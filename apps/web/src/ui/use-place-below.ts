import { type RefObject, useLayoutEffect } from 'react'

const gap = 4
const toEdge = 8

/** Puts what is fixed below what it hangs from, or above where there is no room, for as long as it is there; it has the focus then. */
export function usePlaceBelow(
  shown: RefObject<HTMLElement | null>,
  from: { readonly current: HTMLElement | null },
  onFirst: boolean,
): void {
  useLayoutEffect(() => {
    const popup = shown.current
    if (popup === null) return
    const place = () => {
      const anchor = from.current?.getBoundingClientRect()
      if (anchor === undefined) return
      const { clientWidth, clientHeight } = document.documentElement
      const { offsetWidth, offsetHeight } = popup
      const left = Math.max(toEdge, Math.min(anchor.left, clientWidth - offsetWidth - toEdge))
      const below = anchor.bottom + gap
      const fitsBelow = below + offsetHeight + toEdge <= clientHeight
      const above = Math.max(toEdge, anchor.top - gap - offsetHeight)
      popup.style.left = `${left}px`
      popup.style.top = `${fitsBelow ? below : above}px`
    }
    place()
    const first = onFirst ? popup.querySelector<HTMLElement>('[role="menuitem"]') : null
    ;(first ?? popup).focus({ preventScroll: true })
    const ended = new AbortController()
    const { signal } = ended
    window.addEventListener('scroll', place, { signal, capture: true, passive: true })
    window.addEventListener('resize', place, { signal })
    // what is read while it is open makes it longer
    const grown = new ResizeObserver(place)
    grown.observe(popup)
    return () => {
      grown.disconnect()
      ended.abort()
    }
  }, [shown, from, onFirst])
}
