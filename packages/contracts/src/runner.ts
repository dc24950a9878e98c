import { z } from 'zod'
import { CheckReport } from './check.ts'
import { AgentLimit, MetLimit } from './agent-limit.ts'
import { Assignment, Prepared, isOncePerResource } from './assignment.ts'
import { freeText } from './free-text.ts'
import { AssignedBranches, CommitSha, ReservedBranch } from './assigned-branches.ts'
import { FailurePhase } from './execution-request.ts'
import { FailureCode } from './failure-code.ts'
import { AgentKey, BranchName, ResourceKey, Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { RunnerStep } from './next-step.ts'
import { RunOutcome } from './states.ts'
import { ConversationUsage, Usage } from './usage.ts'

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

/** An agent that a runner has and does not offer, since its provider takes nothing from it. Decision 87. */
export const HeldAgent = z.strictObject({ key: AgentKey, reason: AgentLimit, until: Timestamp })
export type HeldAgent = z.infer<typeof HeldAgent>

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
  /** Those that it offers now: not one that is held. */
  agents: z.array(RunnerAgent).max(100),
  heldAgents: z.array(HeldAgent).max(100).optional(),
  /** Agents that work again before the time was over: what this runner left alone for them is worth another try. */
  retried: z.array(AgentKey).max(100).optional(),
  resources: z.array(RunnerResource).max(1000),
  /**
   * Resources whose checkouts became clean or free: requests that this runner gave back for them are offered to it again.
   */
  changed: z.array(ResourceKey).max(1000).optional(),
  waitSeconds: z.number().min(0).max(limits.claimWaitSeconds).default(0),
  /** The agent is to have a token of its own, good for its objective and as long as its run. */
  mintAgentToken: z.boolean().optional(),
  /** It takes one launch and is gone after it, with all that it has: it clones what it works in. Decision 150. */
  ephemeral: z.boolean().optional(),
})
export type ClaimBody = z.infer<typeof ClaimBody>

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
/** A delivery waits for these checks; said until their attempt is reported. */
const CheckWanted = z.strictObject({
  type: z.literal('check'),
  requestId: Uuid,
  attempt: z.int().min(1),
  names: z.array(z.string()),
})
export const RunnerDirective = z.discriminatedUnion('type', [
  Drain,
  Cancel,
  AnswerAvailable,
  CheckWanted,
])
export type RunnerDirective = z.infer<typeof RunnerDirective>

/** It travels in a header, too. */
export const LeaseToken = z
  .string()
  .max(200)
  .regex(/^[\x20-\x7e]+$/, 'use the lease token as it was given')

/** As long as the run and not longer; it travels in a header. */
const AgentToken = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'use the token as it was given')

const Seconds = z.number().min(0.01).max(86_400)

export const ClaimAnswer = z.strictObject({
  request: Assignment.nullable(),
  leaseToken: LeaseToken.optional(),
  /** Where it was asked for. */
  agentToken: AgentToken.optional(),
  leaseSeconds: Seconds,
  heartbeatSeconds: Seconds,
  /** How much of the output of its run the service keeps; not said by versions before it was a setting. */
  logBytes: z.int().positive().optional(),
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
  /** Null: nothing is reserved, and the answer names what is recorded. */
  wanted: WantedBranch.nullable(),
})
export const BranchesAnswer = z.strictObject({
  branches: AssignedBranches,
  /** Null where nothing was wanted. */
  reserved: ReservedBranch.nullable(),
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

/** A run given back before its agent started. The first six cost no attempt. Decisions 24 and 87. */
export const ReleaseReason = z.enum([
  ...AgentLimit.options,
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
  /** Where the reason is a limit of the provider: when the provider says that it ends. */
  until: Timestamp.optional(),
})

/** The last commits of a run's branches in resources other than its own. */
export const OtherHeads = z
  .array(z.strictObject({ resourceKey: ResourceKey, headSha: CommitSha }))
  .max(limits.otherResources)
  .refine(isOncePerResource, 'name each resource once')

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
  /** Of this run alone. */
  usage: Usage.optional(),
  /** What its agent says of no run alone: the part of this one is what earlier ones have not counted. */
  conversation: ConversationUsage.optional(),
  lastOutput: freeText().max(8192),
  agentError: AgentError.optional(),
  /** What ended the agent was its provider's limit. */
  limit: MetLimit.optional(),
  /** The last commit of the run's branch. */
  headSha: CommitSha.optional(),
  others: OtherHeads.optional(),
  /** What a person should know of the work that the run left, a sentence each. */
  warnings: z.array(freeText().max(1000)).max(20).optional(),
})

export const CheckBody = z.strictObject({
  leaseToken: LeaseToken,
  attempt: z.int().min(1),
  /** Left out: the checks have begun. */
  report: CheckReport.optional(),
})

/**
 * The headers of a log upload, whose body is the bytes. `offset` counts bytes of this run's output, gaps included; without
 * bytes it says how far the output goes of which no more is kept.
 */
export const LogHeaders = z.strictObject({
  'x-svc-lease': LeaseToken,
  'x-svc-offset': z.coerce.number().int().nonnegative(),
  'x-svc-skipped': z.coerce.number().int().nonnegative().default(0),
})
export const LogAnswer = z.strictObject({ nextOffset: z.int() })

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
  /** One that was there for one launch alone has nothing left to do: it is removed. Decision 150. */
  leaving: z.boolean().optional(),
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
  heldAgents: z.array(HeldAgent).default([]),
  capacity: Capacity,
})
export type Runner = z.infer<typeof Runner>
