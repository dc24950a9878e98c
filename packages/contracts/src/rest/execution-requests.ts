import { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { ExecutionRequest, ListedRun, RunCounts } from '../execution-request.ts'
import { limits } from '../limits.ts'
import { MissionRef, ObjectiveRef, Timestamp, Uuid } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { FileRationale, RunChanges, RunFile, RunFileGroup } from '../run-files.ts'
import { RunDiff } from '../run-changes.ts'
import { RunState } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { IdList, ProjectList, cancelBody, cancelled, requestParams } from './parts.ts'

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
      projectId: ProjectList.optional(),
      missionId: MissionRef.optional(),
      objectiveId: ObjectiveRef.optional(),
      ids: IdList.optional(),
      runnerId: Uuid.optional(),
      /** With commas. The state of a run is its outcome, or its status while it has none; `launched` is any outcome. */
      states: RunStateList.optional(),
      /** Asks for `counts`, with the deliveries of the time since then: of the last 48 hours at most. */
      countSince: Timestamp.optional(),
    }),
    answer: z.strictObject({
      executionRequests: z.array(ListedRun),
      /**
       * Why no runner takes which run that is queued, or that nothing is heard of the runner that has it, by its id; empty for
       * who may not list runners.
       */
      untaken: z.record(z.string(), z.string()).default({}),
      /** Of all pages, and of the projects that were asked for, whatever else the list is narrowed to. */
      counts: RunCounts.optional(),
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
      /** What the run itself does not say: why nobody takes it, that its runner is not heard of, or who called it off and why. */
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
  /**
   * The output from byte `offset` on, or its last `tail` bytes; at most `bytes`, and 1 MiB. Header `X-Svc-Next-Offset` says
   * where to go on, `X-Svc-Length` where the output ends by now, `X-Svc-Ended: true` that no more will come. Where output is
   * not kept, an answer begins with a line that says so: `X-Svc-Skipped` is how many bytes that are, and `X-Svc-Offset` where
   * the bytes behind that line begin.
   */
  getRunLog: {
    method: 'GET',
    path: '/api/execution-requests/:id/log',
    permission: 'mission:read',
    params: requestParams,
    query: z.strictObject({
      offset: z.coerce.number().int().nonnegative().default(0),
      /** In place of `offset`. */
      tail: z.coerce.number().int().min(1).max(limits.logChunkBytes).optional(),
      bytes: z.coerce.number().int().min(1).max(limits.logChunkBytes).default(limits.logChunkBytes),
    }),
    answer: 'bytes',
    status: 200,
  },
  /**
   * The files that a run changed, in the order of its report; with their patches where `patches` is true. By `reason` they
   * come in groups, the largest first and those without a reason last; the first page names all groups.
   */
  listRunFiles: {
    method: 'GET',
    path: '/api/execution-requests/:id/files',
    permission: 'mission:read',
    params: requestParams,
    query: z.strictObject({
      ...PageQuery,
      limit: z.coerce.number().int().min(1).max(limits.runFilesAtOnce).default(limits.pageItemsMax),
      patches: z.enum(['true', 'false']).default('false'),
      order: z.enum(['report', 'reason']).default('report'),
    }),
    answer: z.strictObject({
      changes: RunChanges,
      groups: z.array(RunFileGroup).optional(),
      files: z.array(RunFile),
      nextCursor: NextCursor,
    }),
    status: 200,
  },
  /** One of them, with its patch, and why it was changed. */
  getRunFile: {
    method: 'GET',
    path: '/api/execution-requests/:id/files/:position',
    permission: 'mission:read',
    params: requestParams.extend({
      position: z.coerce
        .number()
        .int()
        .min(0)
        .max(limits.runFiles - 1),
    }),
    answer: z.strictObject({
      changes: RunChanges,
      file: RunFile,
      rationale: FileRationale.nullable(),
    }),
    status: 200,
  },
  /** All of it in one, cut to what one answer holds: `listRunFiles` has the rest. */
  getRunDiff: {
    method: 'GET',
    path: '/api/execution-requests/:id/diff',
    permission: 'mission:read',
    params: requestParams,
    answer: z.strictObject({ diff: RunDiff }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
