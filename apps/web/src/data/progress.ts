import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { FeedChange } from '@svc/contracts/feed'

/** How far an agent has come, as the change of its session says it. */
export function progressOf({ data }: FeedChange): NonNullable<ExecutionRequest['progress']> {
  const { percent, note } = data
  return {
    percent: typeof percent === 'number' ? percent : null,
    note: typeof note === 'string' ? note : null,
  }
}
