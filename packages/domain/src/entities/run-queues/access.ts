import { ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import type { RunQueueEntryRow, RunQueueRow } from '@svc/db/tables'
import { type AccessScope, authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { notFound } from '../../common/errors.ts'
import type { Queue } from './queue.ts'

export function scopeOfQueue(row: RunQueueRow, ref = row.id): AccessScope {
  const missing = () => notFound('run queue', ref)
  return { projectId: row.project_id, missionId: null, objectiveId: null, missing }
}

/** `queue` is the one that it is in. */
export function scopeOfEntry(queue: RunQueueRow, entry: RunQueueEntryRow): AccessScope {
  return {
    projectId: queue.project_id,
    missionId: entry.mission_id,
    objectiveId: entry.objective_id,
    missing: () => notFound('queue entry', entry.id),
  }
}

/** What queues there are is for a person to say, whose token has full scope. */
export function authorizeDefinition(actor: Actor, scope: AccessScope): void {
  authorize(actor, 'project:update', scope)
  if (actor.credential.scope === 'full') return
  throw new ServiceError(
    'forbidden',
    'Queues are defined with a token of full scope, and this one has a part of it. Use one that has all.',
    { permission: 'project:update', scope: 'full' },
  )
}

/** What helps after a refusal that has to do with it. */
export function seeQueues({ project }: Pick<Queue, 'project'>): { next: NextStep } {
  return { next: { operation: 'listRunQueues', params: { id: project } } }
}

export function entryInFlight(entry: RunQueueEntryRow): ServiceError {
  return new ServiceError(
    'entry_in_flight',
    `This entry is ${entry.state}: it is neither moved nor removed before its run has ended.`,
    { entryId: entry.id, executionRequestId: entry.execution_request_id },
    entry.execution_request_id === null
      ? {}
      : {
          next: {
            operation: 'cancelExecutionRequest',
            params: { id: entry.execution_request_id },
          },
        },
  )
}
