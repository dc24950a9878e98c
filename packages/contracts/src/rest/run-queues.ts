import { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { ObjectiveRef, ProjectRef, Revision, Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import { ExecutionRequest } from '../execution-request.ts'
import { Title } from '../objective.ts'
import {
  Placement,
  RunQueue,
  RunQueueEntry,
  WholeQueue,
  isOnePosition,
  onePositionMessage,
} from '../run-queue.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId, projectParams } from './parts.ts'

const queueParams = byId(Uuid)
const queueAnswer = z.strictObject({ queue: RunQueue })
const queuesAnswer = z.strictObject({ queues: z.array(RunQueue) })

const wholeAnswer = z.strictObject({ queue: WholeQueue })

// spec: Resources and their fields > Run Queue
export const runQueuesEndpoints = {
  listRunQueues: {
    method: 'GET',
    path: '/api/projects/:id/run-queues',
    permission: 'project:read',
    params: projectParams,
    answer: z.strictObject({
      /** Each with what may be done about it, one step of a kind: another entry's comes when this one's is done. */
      queues: z.array(WholeQueue.extend({ nextSteps: z.array(AdvisedStep) })),
    }),
    status: 200,
  },
  createRunQueue: {
    method: 'POST',
    path: '/api/projects/:id/run-queues',
    permission: 'project:update',
    fullScope: true,
    params: projectParams,
    body: z.strictObject({ name: Title }),
    answer: queueAnswer,
    status: 201,
    repeat: 'keyed',
  },
  orderRunQueues: {
    method: 'PUT',
    path: '/api/projects/:id/run-queues/order',
    permission: 'project:update',
    fullScope: true,
    params: z.strictObject({ id: ProjectRef }),
    body: z.strictObject({ queueIds: z.array(Uuid).min(1).max(limits.queuesPerProject) }),
    answer: queuesAnswer,
    status: 200,
    repeat: 'keyed',
  },
  updateRunQueue: {
    method: 'PATCH',
    path: '/api/run-queues/:id',
    permission: 'project:update',
    fullScope: true,
    params: queueParams,
    body: z.strictObject({ name: Title }),
    answer: queueAnswer,
    status: 200,
    repeat: 'keyed',
  },
  deleteRunQueue: {
    method: 'DELETE',
    path: '/api/run-queues/:id',
    permission: 'project:update',
    fullScope: true,
    params: queueParams,
    /** The queue of the same project that its entries go to. */
    query: z.strictObject({ moveEntriesTo: Uuid.optional() }),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  orderRunQueueEntries: {
    method: 'PUT',
    path: '/api/run-queues/:id/order',
    permission: 'execution_request:create',
    params: queueParams,
    body: z.strictObject({
      orderedEntryIds: z.array(Uuid).max(limits.entriesPerQueue),
      expectedRevision: Revision.optional(),
    }),
    answer: wholeAnswer,
    status: 200,
    repeat: 'keyed',
  },
  startRunQueue: {
    method: 'POST',
    path: '/api/run-queues/:id/start',
    permission: 'execution_request:create',
    params: queueParams,
    answer: z.strictObject({ queue: WholeQueue, executionRequest: ExecutionRequest }),
    status: 200,
    repeat: 'keyed',
  },
  pauseRunQueue: {
    method: 'POST',
    path: '/api/run-queues/:id/pause',
    permission: 'execution_request:create',
    params: queueParams,
    answer: queueAnswer,
    status: 200,
    repeat: 'natural',
  },
  resumeRunQueue: {
    method: 'POST',
    path: '/api/run-queues/:id/resume',
    permission: 'execution_request:create',
    params: queueParams,
    answer: queueAnswer,
    status: 200,
    repeat: 'natural',
  },
  /** Queues an objective, or moves it where it is in a queue already. */
  queueObjective: {
    method: 'POST',
    path: '/api/run-queues/entries',
    permission: 'execution_request:create',
    body: z
      .strictObject({
        objectiveId: ObjectiveRef,
        queue: Title.describe('id or name; the default queue when left out').optional(),
        ...Placement,
      })
      .refine(isOnePosition, { message: onePositionMessage }),
    answer: z.strictObject({ queue: WholeQueue, entry: RunQueueEntry }),
    status: 200,
    repeat: 'keyed',
  },
  removeRunQueueEntry: {
    method: 'DELETE',
    path: '/api/run-queues/entries/:id',
    permission: 'execution_request:create',
    params: queueParams,
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  retryRunQueueEntry: {
    method: 'POST',
    path: '/api/run-queues/entries/:id/retry',
    permission: 'execution_request:create',
    params: queueParams,
    answer: z.strictObject({ queue: RunQueue, entry: RunQueueEntry }),
    status: 200,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
