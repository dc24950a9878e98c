import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RouteName } from '@svc/contracts/rest'
import { useEffect } from 'react'
import { isLive } from './states.ts'
import { useWorkspace } from './use-workspace.ts'

/**
 * Reads these again and again while the page is seen: that nothing is heard of a machine is no change that a feed could tell,
 * nor is how busy it says it is.
 */
export function useSilence(operations: readonly RouteName[], everyMs = 15_000): void {
  const { queries } = useWorkspace()
  const named = operations.join(' ')
  useEffect(() => {
    if (named === '') return undefined
    const timer = setInterval(() => {
      if (document.hidden) return
      for (const operation of named.split(' ')) {
        void queries.invalidateQueries({ queryKey: [operation] })
      }
    }, everyMs)
    return () => clearInterval(timer)
  }, [queries, named, everyMs])
}

/** The same of runs that are shown: the runner of one that is under way may go away. */
export function useSilenceOfRuns(
  operation: RouteName,
  runs: readonly Pick<ExecutionRequest, 'status' | 'outcome'>[] = [],
): void {
  useSilence(runs.some(isLive) ? [operation] : [], 60_000)
}
