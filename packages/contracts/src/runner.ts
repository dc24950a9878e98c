import { z } from 'zod'
import { freeText } from './free-text.ts'
import { AssignedBranches, CommitSha, ReservedBranch } from './assigned-branches.ts'
import { ExecutionRequest, FailurePhase } from './execution-request.ts'
import { FailureCode } from './failure-code.ts'
import {
  AgentKey,
  BranchName,
  MissionDisplayId,
  ObjectiveDisplayId,
  ResourceKey,
  Uuid,
} from './ids.ts'
import { LaunchSettings } from './launch-settings.ts'
import { limits } from './limits.ts'
import { Mission } from './mission.ts'
import { Objective } from './objective.ts'
import { Project, ProjectResource } from './project.ts'
import { RunnerStep } from './next-step.ts'
import { RunOutcome } from './states.ts'
import { Usage } from './usage.ts'

export const Device = z.strictObject({
  fingerprint: z.string().min(8).max(200),
  label: z.string().min(1).max(200),
  platform: z.string().max(40),
  arch: z.string().max(40),
})
export type Device = z.infer<typeof Device>

/** What the runner sees of a linked checkout; only `usable` counts as connected. */
export const CheckoutState = z.enum(['usable', 'missing', 'unreadable', 'not_a_repository'])
export type CheckoutState = z.infer<typeof CheckoutState>

export const RunnerAgent = z.strictObject({
  key: AgentKey,
  version: z.string().max(200).nullable(),
  path: z.string().max(4096),
})
export type RunnerAgent = z.infer<typeof RunnerAgent>

export const RunnerResource = z.strictObject({
  projectId: Uuid,
  resourceKey: ResourceKey,
  path: z.string().max(4096),
  state: CheckoutState,
})
export type RunnerResource = z.infer<typeof RunnerResource>

export const Capacity = z.strictObject({ max: z.int().min(1), running: z.int().min(0) })

// spec: Other REST endpoints, row POST /api/runner/claim
export const ClaimBody = z.strictObject({
  claimId: Uuid,
  projectIds: z.union([z.literal('all'), z.array(Uuid).max(1000)]),
  device: Device,
  runner: z.strictObject({
    instanceId: Uuid,
    version: z.string().max(40),
    capacity: Capacity,
  }),
  agents: z.array(RunnerAgent).max(100),
  resources: z.array(RunnerResource).max(1000),
  /** Resources whose checkouts became clean or free: what this runner gave back for them is worth another try. */
  changed: z.array(ResourceKey).max(1000).optional(),
  waitSeconds: z.number().min(0).max(limits.claimWaitSeconds).default(0),
})
export type ClaimBody = z.infer<typeof ClaimBody>

/** The mission's other live requests, for the branch plan. */
export const Sibling = z.strictObject({
  requestId: Uuid,
  objectiveId: Uuid,
  resourceKey: z.string().nullable(),
  branch: BranchName.nullable(),
  createdAt: z.string(),
})

export const Prepared = z.strictObject({
  workingDirectory: z.string().max(4096),
  branch: BranchName.nullable(),
  /** The commit at which the run begins. */
  baseSha: CommitSha.nullable(),
  checkout: z.enum(['own', 'worktree', 'scratch']),
  /** The mission's in this resource; another one than `branch` where the objective has its own. */
  missionBranch: BranchName.nullable().default(null),
  /** The commit at which `branch` was cut. */
  startSha: CommitSha.nullable().default(null),
  /** What a person should know of the branch, a sentence each. */
  warnings: z.array(freeText().max(500)).max(20).default([]),
})
export type Prepared = z.infer<typeof Prepared>

/** The run that this one goes on with, on the same machine. */
export const Resume = z.strictObject({
  /** The agent's own id of its conversation; null: it begins a new one, and reads in the briefing what was asked. */
  externalSessionId: z.string().nullable(),
  /** Where and on which branch it was; null where it had no checkout. */
  prepared: Prepared.nullable(),
})
export type Resume = z.infer<typeof Resume>

/** Of these a runner makes folders, branches and arguments: each has its own form. */
export const Assignment = z.strictObject({
  executionRequest: ExecutionRequest.extend({
    agent: AgentKey,
    resourceKey: ResourceKey.nullable(),
    generation: z.int().min(1),
    branch: BranchName.nullable(),
  }),
  mission: Mission.extend({
    displayId: MissionDisplayId,
    active_branch: BranchName.nullable(),
  }),
  objective: Objective.extend({
    displayId: ObjectiveDisplayId,
    branch: BranchName.nullable(),
  }),
  project: Project.extend({ defaultBranch: BranchName }),
  /** The project's of now; what this launch took of them stands in its request. */
  launchSettings: LaunchSettings,
  resources: z.array(ProjectResource),
  siblings: z.array(Sibling),
  resume: Resume.nullable().default(null),
  branches: AssignedBranches.default({
    mission: null,
    objective: null,
    delivered: [],
    fromBase: false,
  }),
})
export type Assignment = z.infer<typeof Assignment>

/** What the mission says, else its project. */
export function usesWorktrees({
  mission,
  project,
}: Pick<Assignment, 'mission' | 'project'>): boolean {
  return mission.useWorktrees ?? project.useWorktrees
}

const Drain = z.strictObject({ type: z.literal('drain') })
const Cancel = z.strictObject({
  type: z.literal('cancel'),
  requestId: Uuid,
  graceSeconds: z.number(),
})
/** What the agent asked is answered, and it has not taken the answer yet. */
const AnswerAvailable = z.strictObject({
  type: z.literal('answer_available'),
  requestId: Uuid,
  questionId: Uuid,
})
export const RunnerDirective = z.discriminatedUnion('type', [Drain, Cancel, AnswerAvailable])
export type RunnerDirective = z.infer<typeof RunnerDirective>

/** It travels in a header, too. */
export const LeaseToken = z
  .string()
  .max(200)
  .regex(/^[\x20-\x7e]+$/, 'use the lease token as it was given')

const Seconds = z.number().min(0.01).max(86_400)

export const ClaimAnswer = z.strictObject({
  request: Assignment.nullable(),
  leaseToken: LeaseToken.optional(),
  leaseSeconds: Seconds,
  heartbeatSeconds: Seconds,
  waited: z.boolean(),
  nextPollSeconds: z.number().min(0).max(3_600),
  directives: z.array(RunnerDirective),
  serverTime: z.string(),
})
export type ClaimAnswer = z.infer<typeof ClaimAnswer>

export const LaunchingBody = z.strictObject({
  leaseToken: LeaseToken,
  prepared: Prepared.optional(),
})
/** A name for the mission's branch, asked for before it is cut. The first who asks for the one that follows is given it. */
export const WantedBranch = z.strictObject({
  branch: BranchName,
  /** The mission's branch before it; null: there was none. */
  follows: BranchName.nullable(),
  /** What was reserved and is not free here: by whoever is to work on the mission's branch itself. */
  insteadOf: BranchName.nullable(),
})
export type WantedBranch = z.infer<typeof WantedBranch>

export const BranchesBody = z.strictObject({
  leaseToken: LeaseToken,
  resourceKey: ResourceKey,
  wanted: WantedBranch,
})
export const BranchesAnswer = z.strictObject({
  branches: AssignedBranches,
  reserved: ReservedBranch,
})
export type BranchesAnswer = z.infer<typeof BranchesAnswer>

/** For whoever may read the mission: no path of the machine, no secret. */
const AgentError = freeText().max(limits.agentErrorCharacters)

export const LaunchedBody = z.strictObject({
  leaseToken: LeaseToken,
  pid: z.int().min(1),
  pidStartedAt: z.string().max(100),
  externalSessionId: z.string().max(200).optional(),
  argvRedacted: z.array(freeText()).max(500),
  /** What the agent last said went wrong. */
  agentError: AgentError.optional(),
})

export const FailedBody = z.strictObject({
  leaseToken: LeaseToken,
  code: FailureCode,
  message: freeText().max(4000),
  phase: FailurePhase,
  next: RunnerStep.optional(),
})

/** A run given back before its agent started. The first three cost no attempt. Decision 24. */
export const ReleaseReason = z.enum([
  'checkout_busy',
  'branch_elsewhere',
  'runner_draining',
  'supervisor_lost',
  'spawn_eagain',
  'network',
])
export type ReleaseReason = z.infer<typeof ReleaseReason>
export const ReleasedBody = z.strictObject({
  leaseToken: LeaseToken,
  reason: ReleaseReason,
  /** Why, where and what would end it, for whoever may read the mission: no absolute path, no secret. */
  detail: freeText().max(300).optional(),
  next: RunnerStep.optional(),
})

export const ExitCause = z.enum([
  'agent',
  'cancelled',
  'max_runtime',
  'handed_over',
  'supervisor_lost',
  'host_rebooted',
  'runner_stopped',
])
export type ExitCause = z.infer<typeof ExitCause>
export const ExitedBody = z.strictObject({
  leaseToken: LeaseToken,
  exitCode: z.int().nullable(),
  signal: z.string().max(20).nullable(),
  cause: ExitCause,
  usage: Usage.optional(),
  lastOutput: freeText().max(8192),
  agentError: AgentError.optional(),
  /** The last commit of the run's branch. */
  headSha: CommitSha.optional(),
  /** What a person should know of the work that the run left, a sentence each. */
  warnings: z.array(freeText().max(1000)).max(20).optional(),
})

/** Of a log upload: the bytes are the body. `offset` counts bytes of this run's output, gaps included. */
export const LogHeaders = z.strictObject({
  'x-svc-lease': LeaseToken,
  'x-svc-offset': z.coerce.number().int().nonnegative(),
  'x-svc-skipped': z.coerce.number().int().nonnegative().default(0),
})
export const LogAnswer = z.strictObject({ nextOffset: z.int() })

export const DiffStat = z.strictObject({
  filePath: z.string().max(1024),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
})
export const RunDiff = z.strictObject({
  baseSha: z.string().max(64),
  headSha: z.string().max(64),
  stat: z.array(DiffStat).max(limits.diffFiles),
  patch: freeText().max(limits.diffPatchBytes).optional(),
  truncated: z.boolean(),
  dirty: z.boolean(),
})
export type RunDiff = z.infer<typeof RunDiff>
export const DiffBody = RunDiff.extend({
  leaseToken: LeaseToken,
  /** Every file that the run has changed on its branch is in `stat`: one that is not is changed no more. */
  complete: z.boolean().default(false),
})

export const HeartbeatBody = z.strictObject({
  instanceId: Uuid,
  leases: z
    .array(
      z.strictObject({
        requestId: Uuid,
        leaseToken: LeaseToken,
        state: z.enum(['preparing', 'running', 'exited']),
      }),
    )
    .max(1000),
  capacity: Capacity.optional(),
})
export const HeartbeatAnswer = z.strictObject({
  leases: z.array(
    z.union([
      z.strictObject({
        requestId: Uuid,
        ok: z.literal(true),
        leaseExpiresInSeconds: z.number(),
        attached: z.boolean(),
        outcome: RunOutcome.nullable(),
      }),
      z.strictObject({ requestId: Uuid, ok: z.literal(false), reason: z.string() }),
    ]),
  ),
  directives: z.array(RunnerDirective),
  serverTime: z.string(),
})
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>

export const Runner = z.strictObject({
  id: Uuid,
  label: z.string(),
  platform: z.string(),
  arch: z.string(),
  version: z.string(),
  state: z.enum(['connected', 'unavailable']),
  lastHeardAt: z.string(),
  agents: z.array(z.string()),
  capacity: Capacity,
})
export type Runner = z.infer<typeof Runner>
