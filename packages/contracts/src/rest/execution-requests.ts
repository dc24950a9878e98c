import { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { ExecutionRequest, ListedRun } from '../execution-request.ts'
import { MissionRef, ObjectiveRef, ProjectRef, Uuid } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { RunDiff } from '../runner.ts'
import { RunState } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { IdList, cancelBody, cancelled, requestParams } from './parts.ts'

const RunStateList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(RunState).max(RunState.options.length))

export const executionRequestsEndpoints = {
  /** The newest first. */
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
      runnerId: Uuid.optional(),
      /** With commas. The state of a run is its outcome, or its status while it has none; `launched` is any outcome. */
      states: RunStateList.optional(),
    }),
    answer: z.strictObject({
      executionRequests: z.array(ListedRun),
      /** Why no runner takes which run that is queued, by its id; empty for who may not list runners. */
      untaken: z.record(z.string(), z.string()).default({}),
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
