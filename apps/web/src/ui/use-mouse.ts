import { useEffect, useState } from 'react'

/** Whether a mouse has moved since that was wanted: what only a mouse does is loaded from then on. */
export function useMouse(isWanted: boolean): boolean {
  const [hasMoved, setMoved] = useState(false)
  useEffect(() => {
    if (!isWanted || hasMoved) return
    const closing = new AbortController()
    const hear = ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') setMoved(true)
    }
    window.addEventListener('pointermove', hear, { signal: closing.signal })
    return () => closing.abort()
  }, [isWanted, hasMoved])
  return isWanted && hasMoved
}
