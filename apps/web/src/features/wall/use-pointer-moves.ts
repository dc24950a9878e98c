import { useEffect, useState } from 'react'

const movedMs = 3_000

/** Somebody is here, and has moved the pointer a moment ago. */
export function usePointerMoves(): boolean {
  const [hasMoved, setHasMoved] = useState(false)
  useEffect(() => {
    const listening = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const see = () => {
      setHasMoved(true)
      clearTimeout(timer)
      timer = setTimeout(() => setHasMoved(false), movedMs)
    }
    for (const event of ['pointermove', 'pointerdown']) {
      document.addEventListener(event, see, { signal: listening.signal })
    }
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [])
  return hasMoved
}
