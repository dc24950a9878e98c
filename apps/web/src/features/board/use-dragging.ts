import { useEffect, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Dragging } from './drag.ts'

/** From when a mouse moves: on touch a drag is a scroll, and the menu of a card moves it. */
export function useDragging(): Dragging | undefined {
  const { rights } = useWorkspace()
  const [dragging, setDragging] = useState<Dragging>()
  const isWanted = rights.mayCall('moveMission')
  useEffect(() => {
    if (!isWanted) return
    const closing = new AbortController()
    const load = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse') return
      closing.abort()
      void import('./drag.ts').then(
        (loaded) => setDragging(loaded.dragging),
        // keys and menus do the same
        () => undefined,
      )
    }
    window.addEventListener('pointermove', load, { signal: closing.signal })
    return () => closing.abort()
  }, [isWanted])
  return dragging
}
