import type { FeedEntity } from '@svc/contracts/feed'
import type { RouteOutput } from '@svc/contracts/rest'
import { defineRead } from '../../data/reads.ts'

export type Queues = RouteOutput<'listRunQueues'>['queues']
export type Queue = Queues[number]

/** What an entry shows of its objective and of the run that it has become. */
const partsOfQueues: ReadonlySet<FeedEntity> = new Set([
  'run_queue',
  'objective',
  'execution_request',
])

/** Of which project a change is, is known by the answer: every project has a queue. */
export const runQueues = defineRead({
  operation: 'listRunQueues',
  touchedBy: ({ entity }) => partsOfQueues.has(entity),
  patch: (shown, { projectId }) =>
    projectId === null || projectId === shown.queues[0]?.projectId ? undefined : shown,
})

export const project = defineRead({
  operation: 'getProject',
  touchedBy: ({ entity }) => entity === 'project',
})
