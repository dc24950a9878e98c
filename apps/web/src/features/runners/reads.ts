import type { FeedEntity } from '@svc/contracts/feed'
import { defineRead } from '../../data/reads.ts'

const partsOfRuns: ReadonlySet<FeedEntity> = new Set(['execution_request', 'objective', 'project'])

/** What it last said of itself, and its runs that are not over. */
export const runner = defineRead({
  operation: 'getRunner',
  touchedBy: ({ entity, entityId }, { id }) =>
    partsOfRuns.has(entity) || (entity === 'runner' && entityId === id),
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
