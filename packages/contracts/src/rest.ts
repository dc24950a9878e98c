import { z } from 'zod'
import { Artifact, ArtifactInput, artifactContent } from './artifact.ts'
import { FileChange } from './change-rationale.ts'
import { ExecutionRequest, LaunchWarning } from './execution-request.ts'
import {
  AgentKey,
  BranchName,
  Effort,
  MissionRef,
  ModelName,
  ObjectiveRef,
  ProjectRef,
  ResourceKey,
  Revision,
  Slug,
  Uuid,
} from './ids.ts'
import { limits } from './limits.ts'
import { Mission, MissionEvent } from './mission.ts'
import { Instruction, Objective, ObjectiveInput, Title } from './objective.ts'
import { NextCursor, PageQuery } from './page.ts'
import { type Permission, Role } from './permissions.ts'
import { Project, ProjectResource, ProjectStatus } from './project.ts'
import { Delivery } from './delivery.ts'
import { LedgerAnswer, LedgerBody } from './protocol.ts'
import {
  ClaimAnswer,
  ClaimBody,
  DiffBody,
  ExitedBody,
  FailedBody,
  HeartbeatAnswer,
  HeartbeatBody,
  LaunchedBody,
  LaunchingBody,
  LogAnswer,
  LogHeaders,
  ReleasedBody,
  RunDiff,
  Runner,
} from './runner.ts'
import { Priority, RequestStatus, ResourcePermission, StatusType } from './states.ts'
import { UserToken, UserTokenInput } from './user-token.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export interface EndpointContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` parts, each of them a key of `params`. */
  readonly path: string
  /** `any` is any valid credential. */
  readonly permission: Permission | 'any'
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Header names in lower case; they enter the input under those names. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType<Record<string, unknown>> | 'bytes'
  /** Bytes of the body; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
  readonly answer: z.ZodType | 'bytes' | 'none'
  readonly status: 200 | 201 | 204
  /** The status when the answer says `reused: true`. */
  readonly reusedStatus?: 200
  /** The answer may take seconds: headers at once, a space every 10 s, the JSON at the end. */
  readonly slow?: true
}

const byId = <T extends z.ZodType>(id: T) => z.strictObject({ id })
const missionParams = byId(MissionRef)
const objectiveParams = byId(ObjectiveRef)
const projectParams = byId(ProjectRef)
const requestParams = byId(Uuid)
const pageQuery = z.strictObject(PageQuery)
const requestAnswer = z.strictObject({ executionRequest: ExecutionRequest })
const artifactAnswer = z.strictObject({ artifact: Artifact })
const missionAnswer = z.strictObject({ mission: Mission, objectives: z.array(Objective) })
const objectiveAnswer = z.strictObject({ objective: Objective })
const projectAnswer = z.strictObject({ project: Project })
/** Comma-separated in an address. */
const StatusTypeList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(StatusType).max(StatusType.options.length))

export const restContracts = {
  // spec: Other REST endpoints
  launchObjective: {
    method: 'POST',
    path: '/api/objectives/:id/launch',
    permission: 'execution_request:create',
    params: objectiveParams,
    body: z.strictObject({
      agent: AgentKey,
      model: ModelName.optional(),
      reasoningEffort: Effort.optional(),
      resourceKey: ResourceKey.optional(),
    }),
    answer: z.strictObject({
      executionRequest: ExecutionRequest,
      objective: Objective,
      reused: z.boolean(),
      warnings: z.array(LaunchWarning),
    }),
    status: 201,
    reusedStatus: 200,
  },
  claimExecutionRequest: {
    method: 'POST',
    path: '/api/runner/claim',
    permission: 'execution_request:claim',
    body: ClaimBody,
    answer: ClaimAnswer,
    status: 200,
    slow: true,
  },
  createArtifact: {
    method: 'POST',
    path: '/api/missions/:id/artifacts',
    permission: 'artifact:create',
    params: missionParams,
    body: ArtifactInput,
    bodyBytes: limits.largeJsonBodyBytes,
    answer: artifactAnswer,
    status: 201,
  },
  updateArtifact: {
    method: 'PATCH',
    path: '/api/missions/:id/artifacts/:artifactId',
    permission: 'artifact:update',
    params: z.strictObject({ id: MissionRef, artifactId: Uuid }),
    body: z
      .strictObject({
        expectedRevision: Revision,
        ...artifactContent,
        label: artifactContent.label.optional(),
      })
      .refine(
        (input) =>
          input.label !== undefined ||
          input.contentText !== undefined ||
          input.externalUrl !== undefined,
        { message: 'give at least one of label, contentText and externalUrl' },
      ),
    bodyBytes: limits.largeJsonBodyBytes,
    answer: artifactAnswer,
    status: 200,
  },
  createUserToken: {
    method: 'POST',
    path: '/api/user-tokens',
    permission: 'own_token:create',
    body: UserTokenInput,
    answer: z.strictObject({ userToken: UserToken, token: z.string() }),
    status: 201,
  },
  getMission: {
    method: 'GET',
    path: '/api/missions/:id',
    permission: 'mission:read',
    params: missionParams,
    answer: missionAnswer,
    status: 200,
  },
  listMissionEvents: {
    method: 'GET',
    path: '/api/missions/:id/events',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ events: z.array(MissionEvent), nextCursor: NextCursor }),
    status: 200,
  },
  listFileChanges: {
    method: 'GET',
    path: '/api/missions/:id/file-changes',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ fileChanges: z.array(FileChange), nextCursor: NextCursor }),
    status: 200,
  },
  listArtifacts: {
    method: 'GET',
    path: '/api/missions/:id/artifacts',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ artifacts: z.array(Artifact), nextCursor: NextCursor }),
    status: 200,
  },

  // Who is asking
  getMe: {
    method: 'GET',
    path: '/api/me',
    permission: 'any',
    answer: z.strictObject({
      user: z.strictObject({ id: Uuid, name: z.string(), email: z.string() }),
      workspace: z.strictObject({ id: Uuid, slug: z.string(), name: z.string() }),
      role: Role,
      token: UserToken,
    }),
    status: 200,
  },
  listUserTokens: {
    method: 'GET',
    path: '/api/user-tokens',
    permission: 'own_token:read',
    answer: z.strictObject({ userTokens: z.array(UserToken) }),
    status: 200,
  },
  revokeUserToken: {
    method: 'DELETE',
    path: '/api/user-tokens/:id',
    permission: 'own_token:revoke',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
  },

  // Projects
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    permission: 'project:read',
    answer: z.strictObject({ projects: z.array(Project) }),
    status: 200,
  },
  createProject: {
    method: 'POST',
    path: '/api/projects',
    permission: 'project:create',
    body: z.strictObject({
      name: Title,
      slug: Slug.optional(),
      defaultBranch: BranchName.default('main'),
    }),
    answer: projectAnswer,
    status: 201,
  },
  /** Before `:id`, which would take `resolve` for a slug. */
  resolveProject: {
    method: 'GET',
    path: '/api/projects/resolve',
    permission: 'project:read',
    query: z.strictObject({ query: z.string().trim().max(200).optional() }),
    answer: z.strictObject({ project: Project.optional(), candidates: z.array(Project) }),
    status: 200,
  },
  getProject: {
    method: 'GET',
    path: '/api/projects/:id',
    permission: 'project:read',
    params: projectParams,
    answer: projectAnswer,
    status: 200,
  },
  listProjectStatuses: {
    method: 'GET',
    path: '/api/projects/:id/statuses',
    permission: 'project:read',
    params: projectParams,
    answer: z.strictObject({ project: Project, statuses: z.array(ProjectStatus) }),
    status: 200,
  },
  createProjectStatus: {
    method: 'POST',
    path: '/api/projects/:id/statuses',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({ label: Title, type: StatusType }),
    answer: z.strictObject({ status: ProjectStatus }),
    status: 201,
  },
  orderProjectStatuses: {
    method: 'PUT',
    path: '/api/projects/:id/statuses/order',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({ statusIds: z.array(Uuid).min(1).max(100) }),
    answer: z.strictObject({ statuses: z.array(ProjectStatus) }),
    status: 200,
  },
  listProjectResources: {
    method: 'GET',
    path: '/api/projects/:id/resources',
    permission: 'project:read',
    params: projectParams,
    headers: z.object({ 'x-svc-device': z.string().max(200).optional() }),
    answer: z.strictObject({ resources: z.array(ProjectResource) }),
    status: 200,
  },
  linkProjectResource: {
    method: 'POST',
    path: '/api/projects/:id/resources',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({
      resourceKey: ResourceKey,
      permission: ResourcePermission.default('rw'),
      primary: z.boolean().optional(),
    }),
    answer: z.strictObject({ resource: ProjectResource, reused: z.boolean() }),
    status: 201,
    reusedStatus: 200,
  },

  // Missions and objectives
  listMissions: {
    method: 'GET',
    path: '/api/missions',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      projectId: ProjectRef.optional(),
      query: z.string().trim().max(200).optional(),
      statusTypes: StatusTypeList.optional(),
    }),
    answer: z.strictObject({ missions: z.array(Mission), nextCursor: NextCursor }),
    status: 200,
  },
  createMission: {
    method: 'POST',
    path: '/api/missions',
    permission: 'mission:create',
    body: z.strictObject({
      projectId: ProjectRef,
      title: Title,
      priority: Priority.default('normal'),
      auto_advance: z.boolean().default(false),
      allowParallelObjectives: z.boolean().default(false),
      objectives: z.array(ObjectiveInput).max(50).default([]),
    }),
    answer: missionAnswer,
    status: 201,
  },
  updateMission: {
    method: 'PATCH',
    path: '/api/missions/:id',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({
      title: Title.optional(),
      priority: Priority.optional(),
      auto_advance: z.boolean().optional(),
      allowParallelObjectives: z.boolean().optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({ mission: Mission }),
    status: 200,
  },
  moveMission: {
    method: 'POST',
    path: '/api/missions/:id/status',
    permission: 'mission:update',
    params: missionParams,
    body: z.strictObject({ statusId: Uuid }),
    answer: z.strictObject({ mission: Mission }),
    status: 200,
  },
  addObjectives: {
    method: 'POST',
    path: '/api/missions/:id/objectives',
    permission: 'objective:create',
    params: missionParams,
    body: z.strictObject({ objectives: z.array(ObjectiveInput).min(1).max(50) }),
    answer: missionAnswer,
    status: 201,
  },
  getObjective: {
    method: 'GET',
    path: '/api/objectives/:id',
    permission: 'mission:read',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
  },
  updateObjective: {
    method: 'PATCH',
    path: '/api/objectives/:id',
    permission: 'objective:update',
    params: objectiveParams,
    body: z.strictObject({
      title: Title.optional(),
      instruction: Instruction.optional(),
      assigned_agent: AgentKey.nullable().optional(),
      model: ModelName.nullable().optional(),
      reasoning_effort: Effort.nullable().optional(),
      resource_key: ResourceKey.nullable().optional(),
      /** Its mission's; needs `mission:update` too. */
      auto_advance: z.boolean().optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({ objective: Objective, auto_advance: z.boolean() }),
    status: 200,
  },
  submitObjective: {
    method: 'POST',
    path: '/api/objectives/:id/submit',
    permission: 'objective:update',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
  },
  sendBackObjective: {
    method: 'POST',
    path: '/api/objectives/:id/send-back',
    permission: 'objective:update',
    params: objectiveParams,
    answer: objectiveAnswer,
    status: 200,
  },
  recordLedgerBatch: {
    method: 'POST',
    path: '/api/objectives/:id/ledger',
    permission: 'session:update',
    params: objectiveParams,
    body: LedgerBody,
    answer: LedgerAnswer,
    status: 200,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/missions/:id/deliveries',
    permission: 'mission:read',
    params: missionParams,
    query: pageQuery,
    answer: z.strictObject({ deliveries: z.array(Delivery), nextCursor: NextCursor }),
    status: 200,
  },

  // Runs
  listExecutionRequests: {
    method: 'GET',
    path: '/api/execution-requests',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      missionId: MissionRef.optional(),
      objectiveId: ObjectiveRef.optional(),
      status: RequestStatus.optional(),
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
    answer: requestAnswer,
    status: 200,
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
  listRunners: {
    method: 'GET',
    path: '/api/runners',
    permission: 'project:read',
    answer: z.strictObject({ runners: z.array(Runner) }),
    status: 200,
  },

  // What a runner reports
  heartbeatRunner: {
    method: 'POST',
    path: '/api/runner/heartbeat',
    permission: 'execution_request:report',
    body: HeartbeatBody,
    answer: HeartbeatAnswer,
    status: 200,
  },
  reportLaunching: {
    method: 'POST',
    path: '/api/runner/requests/:id/launching',
    permission: 'execution_request:report',
    params: requestParams,
    body: LaunchingBody,
    answer: requestAnswer,
    status: 200,
  },
  reportLaunched: {
    method: 'POST',
    path: '/api/runner/requests/:id/launched',
    permission: 'execution_request:report',
    params: requestParams,
    body: LaunchedBody,
    answer: requestAnswer,
    status: 200,
  },
  reportFailed: {
    method: 'POST',
    path: '/api/runner/requests/:id/failed',
    permission: 'execution_request:report',
    params: requestParams,
    body: FailedBody,
    answer: requestAnswer,
    status: 200,
  },
  reportReleased: {
    method: 'POST',
    path: '/api/runner/requests/:id/released',
    permission: 'execution_request:report',
    params: requestParams,
    body: ReleasedBody,
    answer: requestAnswer,
    status: 200,
  },
  reportExited: {
    method: 'POST',
    path: '/api/runner/requests/:id/exited',
    permission: 'execution_request:report',
    params: requestParams,
    body: ExitedBody,
    answer: requestAnswer,
    status: 200,
  },
  appendRunLog: {
    method: 'POST',
    path: '/api/runner/requests/:id/logs',
    permission: 'execution_request:report',
    params: requestParams,
    headers: LogHeaders,
    body: 'bytes',
    bodyBytes: limits.logChunkBytes,
    answer: LogAnswer,
    status: 200,
  },
  replaceRunDiff: {
    method: 'POST',
    path: '/api/runner/requests/:id/diff',
    permission: 'execution_request:report',
    params: requestParams,
    body: DiffBody,
    bodyBytes: limits.largeJsonBodyBytes,
    answer: z.strictObject({}),
    status: 200,
  },

  ...webhookEndpoints,
} as const satisfies Record<string, EndpointContract>

export type RouteName = keyof typeof restContracts

type Part<C, K extends string> =
  C extends Record<K, infer S extends z.ZodType>
    ? z.infer<S>
    : // an endpoint without this part adds nothing to its input
      {}
type Body<C> = C extends { body: 'bytes' } ? { bytes: Uint8Array } : Part<C, 'body'>
export type RouteInput<N extends RouteName> = Part<(typeof restContracts)[N], 'params'> &
  Part<(typeof restContracts)[N], 'query'> &
  Part<(typeof restContracts)[N], 'headers'> &
  Body<(typeof restContracts)[N]>

/** What a client sends: defaults may be left out. */
type PartSent<C, K extends string> =
  C extends Record<K, infer S extends z.ZodType>
    ? z.input<S>
    : // as above
      {}
export type RouteRequest<N extends RouteName> = PartSent<(typeof restContracts)[N], 'params'> &
  PartSent<(typeof restContracts)[N], 'query'> &
  PartSent<(typeof restContracts)[N], 'headers'> &
  ((typeof restContracts)[N] extends { body: 'bytes' }
    ? { bytes: Uint8Array }
    : PartSent<(typeof restContracts)[N], 'body'>)

/** Bytes with the headers that travel beside them. */
export interface BytesAnswer {
  bytes: Uint8Array
  headers: Record<string, string>
}

export type RouteOutput<N extends RouteName> = (typeof restContracts)[N]['answer'] extends infer A
  ? A extends z.ZodType
    ? z.infer<A>
    : A extends 'bytes'
      ? BytesAnswer
      : undefined
  : never
