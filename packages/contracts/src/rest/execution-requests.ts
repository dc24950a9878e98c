import { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { ExecutionRequest } from '../execution-request.ts'
import { MissionRef, ObjectiveRef, ProjectRef } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { RunDiff } from '../runner.ts'
import { RequestStatus, RunState } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { IdList, cancelBody, cancelled, requestParams } from './parts.ts'

export const executionRequestsEndpoints = {
  /** A page may hold fewer than `limit`, or none, and still have a `nextCursor`: each looks through a bounded number of runs. */
  listExecutionRequests: {
    method: 'GET',
    path: '/api/execution-requests',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      projectId: ProjectRef.optional(),
      missionId: MissionRef.optional(),
      objectiveId: ObjectiveRef.optional(),
      ids: IdList.optional(),
      status: RequestStatus.optional(),
      /** The outcome, or the status of one that has none. */
      state: RunState.optional(),
    }),
    answer: z.strictObject({
      executionRequests: z.array(ExecutionRequest),
      nextCursor: NextCursor,
    }),
    status: 200,
  },
  getExecutionRequest: {
    method: 'GET',
    path: '/api/execution-requests/:id',
    permission: 'mission:read',
    params: requestParams,
    answer: z.strictObject({
      executionRequest: ExecutionRequest,
      /** What the run itself does not say: why no runner takes it, or who called it off and why. */
      reason: z.string().nullable(),
      nextSteps: z.array(AdvisedStep),
    }),
    status: 200,
  },
  /** At once while it is queued; else its runner is notified, and it is over a little later. `alreadyFinished` says that there was nothing left to cancel. */
  cancelExecutionRequest: {
    method: 'POST',
    path: '/api/execution-requests/:id/cancel',
    permission: 'execution_request:create',
    params: requestParams,
    body: cancelBody,
    answer: z.strictObject({
      executionRequest: ExecutionRequest,
      ...cancelled,
    }),
    status: 200,
    repeat: 'natural',
  },
  /** The output from `offset` on, at most 1 MiB; header `X-Svc-Next-Offset` says where to go on, `X-Svc-Ended: true` that no more will come. */
  getRunLog: {
    method: 'GET',
    path: '/api/execution-requests/:id/log',
    permission: 'mission:read',
    params: requestParams,
    query: z.strictObject({ offset: z.coerce.number().int().nonnegative().default(0) }),
    answer: 'bytes',
    status: 200,
  },
  getRunDiff: {
    method: 'GET',
    path: '/api/execution-requests/:id/diff',
    permission: 'mission:read',
    params: requestParams,
    answer: z.strictObject({ diff: RunDiff }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
