import type { FeedEntity } from '@svc/contracts/feed'
import type { RouteRequest } from '@svc/contracts/rest'
import { limits } from '../../data/contracts.values.ts'
import { objectivesTogether } from '../../data/objectives-together.ts'
import { defineRead } from '../../data/reads.ts'
import { patchOverview } from './patch-overview.ts'

const partsOfMission: ReadonlySet<FeedEntity> = new Set([
  'mission',
  'objective',
  'execution_request',
  'agent_session',
  'question',
  'delivery',
  'artifact',
  'run_queue',
  'runner',
])

/** All of the page but its history, in one read: which mission a change is of is known by its answer. */
export const overview = defineRead({
  operation: 'getMissionOverview',
  touchedBy: ({ entity }) => partsOfMission.has(entity),
  patch: patchOverview,
})

/** Long instructions are read whole where they are opened. */
export function overviewRequest(id: string): RouteRequest<'getMissionOverview'> {
  return { id, instructionCharacters: limits.listedInstructionCharacters }
}

export const statuses = defineRead({
  operation: 'listProjectStatuses',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})

export const objective = defineRead({
  operation: 'getObjective',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'objective' && entityId === id,
  together: objectivesTogether,
})

export const attachments = defineRead({
  operation: 'listAttachments',
  touchedBy: ({ entity, entityId, operation }, { id }) =>
    entity === 'objective' && entityId === id && operation === 'attachment',
})

export const sharedState = defineRead({
  operation: 'listSharedState',
  touchedBy: ({ entity, entityId, operation }, { id }) =>
    entity === 'mission' && entityId === id && operation === 'shared_state',
})

export const deletedObjectives = defineRead({
  operation: 'listDeletedObjectives',
  touchedBy: ({ entity, missionId, operation }, { id }) =>
    entity === 'objective' && missionId === id && ['delete', 'restore'].includes(operation),
})

export const resources = defineRead({
  operation: 'listProjectResources',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})

export const runQueues = defineRead({
  operation: 'listRunQueues',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'run_queue' && projectId === id,
})
