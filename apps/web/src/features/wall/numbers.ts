import type { RunCounts } from '@svc/contracts/execution-request'
import type { NeedCounts } from '@svc/contracts/need'
import type { RouteOutput } from '@svc/contracts/rest'
import { limits } from '../../data/contracts.values.ts'
import { totalOf } from '../../words/needs.ts'

/** A number of the head, with what it counts. */
export interface Counted {
  text: string
  of: string
}

/** `3 need somebody · 5 run · 2 queued · 11 today` */
export function numbersOf(needs: NeedCounts, runs: RunCounts | undefined): Counted[] {
  const waiting = totalOf(needs, 'all')
  const first = { text: waiting.text, of: waiting.count === 1 ? 'needs somebody' : 'need somebody' }
  if (runs === undefined) return [first]
  return [
    first,
    { text: atLeast(runs.running), of: runs.running === 1 ? 'runs' : 'run' },
    { text: atLeast(runs.queued), of: 'queued' },
    { text: atLeast(runs.delivered), of: 'delivered today' },
  ]
}

/** As many as are counted may be more. */
function atLeast(count: number): string {
  return count >= limits.countedRuns ? `${count}+` : String(count)
}

interface Read {
  needs: RouteOutput<'listNeeds'>
  runs: RouteOutput<'listExecutionRequests'>
}

/** Those that there are besides the rows that were read; some of what runs may be a row already, as what waits. */
export function beyond({ needs, runs }: Read): number {
  const { nextCursor, counts, executionRequests } = runs
  const waiting =
    needs.nextCursor === undefined ? 0 : totalOf(needs.counts, 'all').count - needs.needs.length
  const running =
    nextCursor === undefined || counts === undefined
      ? 0
      : counts.running + counts.queued - executionRequests.length
  return Math.max(0, waiting) + Math.max(0, running)
}
