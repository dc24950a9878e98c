import type { FeedChange } from '@svc/contracts/feed'
import { defineRead } from '../../data/reads.ts'

/** Those that come before anything of a run counts. */
const early = new Set([
  'queue',
  'claim',
  'launching',
  'launched',
  'check',
  'cancel_requested',
  'go_on',
])

/** A run counts once it is over, parked or lost, and otherwise once it is heard again. */
function mayCount({ entity, operation }: FeedChange): boolean {
  return entity === 'execution_request' && !early.has(operation)
}

export const usage = defineRead({ operation: 'getUsage', touchedBy: mayCount })

/** A budget is used up by launches as well as by runs that end. */
export const missions = defineRead({
  operation: 'listMissions',
  touchedBy: ({ entity }) => entity === 'mission' || entity === 'execution_request',
})

/** Of which the budget is changed: it may leave both lists meanwhile. */
export const mission = defineRead({
  operation: 'getMission',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'mission' && entityId === id,
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
