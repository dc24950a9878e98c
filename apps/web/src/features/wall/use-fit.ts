import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** However low the screen is, so many lines are shown. */
const fewest = 3

/** How many lines of the list have room in the place that is left for it; all are of the height of the first. */
export function useFit(): { place: RefObject<HTMLDivElement | null>; fit: number } {
  const place = useRef<HTMLDivElement>(null)
  const [fit, setFit] = useState(fewest)
  useLayoutEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const measure = () => {
      const line = current.querySelector('li')?.getBoundingClientRect().height
      if (line === undefined || line === 0) return
      setFit(Math.max(fewest, Math.floor(current.clientHeight / line + 0.01)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return { place, fit }
}
