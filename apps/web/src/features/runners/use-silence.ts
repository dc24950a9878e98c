import { useEffect } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'

const everyMs = 15_000

/**
 * Reads the runners again and again while the page is seen: that nothing is heard of a machine is no change that a feed
 * could tell, nor is how busy it says it is.
 */
export function useSilence(): void {
  const { queries } = useWorkspace()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return
      void queries.invalidateQueries({ queryKey: ['listRunners'] })
      void queries.invalidateQueries({ queryKey: ['getRunner'] })
    }, everyMs)
    return () => clearInterval(timer)
  }, [queries])
}
