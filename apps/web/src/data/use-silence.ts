import type { RouteName } from '@svc/contracts/rest'
import { useEffect } from 'react'
import { useWorkspace } from './use-workspace.ts'

const everyMs = 15_000

/**
 * Reads these again and again while the page is seen: that nothing is heard of a machine is no change that a feed could tell,
 * nor is how busy it says it is.
 */
export function useSilence(...operations: readonly RouteName[]): void {
  const { queries } = useWorkspace()
  const named = operations.join(' ')
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return
      for (const operation of named.split(' ')) {
        void queries.invalidateQueries({ queryKey: [operation] })
      }
    }, everyMs)
    return () => clearInterval(timer)
  }, [queries, named])
}
