import { type RefObject, useEffect, useState } from 'react'

/** At which of its ends a row that scrolls sideways has more to show: `start`, `end`, both, or an empty text. */
export function useCut(row: RefObject<HTMLElement | null>): string {
  const [cut, setCut] = useState('')
  // with each drawing, too: columns come and go without a change of its own size
  useEffect(() => {
    const shown = row.current
    if (shown === null) return
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = shown
      const ends = [
        scrollLeft > 1 && 'start',
        // a scaled page has parts of pixels
        scrollWidth - clientWidth - scrollLeft > 1 && 'end',
      ]
      setCut(ends.filter(Boolean).join(' '))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(shown)
    shown.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      shown.removeEventListener('scroll', look)
    }
  })
  return cut
}
