import { useEffect, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useMouse } from '../../ui/use-mouse.ts'
import type { Dragging } from './drag.ts'

/** From when a mouse moves: on touch a drag is a scroll, and the menu of a card moves it. */
export function useDragging(): Dragging | undefined {
  const { rights } = useWorkspace()
  const [dragging, setDragging] = useState<Dragging>()
  const isWanted = useMouse(rights.mayCall('moveMission'))
  useEffect(() => {
    if (!isWanted) return
    void import('./drag.ts').then(
      (loaded) => setDragging(loaded.dragging),
      // keys and menus do the same
      () => undefined,
    )
  }, [isWanted])
  return dragging
}
