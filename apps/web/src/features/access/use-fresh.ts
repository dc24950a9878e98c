import type { RouteName } from '@svc/contracts/rest'
import { useCallback, useEffect } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'

/**
 * What no feed tells of is read when it is shown, and again when somebody comes back to the page. Answers what reads it
 * after something was changed here.
 */
export function useFresh(...operations: readonly RouteName[]): () => void {
  const { queries } = useWorkspace()
  const named = operations.join(' ')
  const read = useCallback(
    (cancelRefetch: boolean) => {
      for (const operation of named.split(' ')) {
        void queries.invalidateQueries({ queryKey: [operation] }, { cancelRefetch })
      }
    },
    [queries, named],
  )
  useEffect(() => {
    const look = () => {
      if (!document.hidden) read(false)
    }
    look()
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [read])
  // an answer that is on its way may be older than what was changed
  return useCallback(() => read(true), [read])
}
