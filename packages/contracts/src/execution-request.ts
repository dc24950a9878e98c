import { z } from 'zod'
import { AgentLimit } from './agent-limit.ts'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { NextStep, RunnerStep } from './next-step.ts'
import { RequestKind, RequestSource, RequestStatus, RunOutcome } from './states.ts'
import { Usage } from './usage.ts'

/** Where a value of the frozen configuration came from. Decision 20. */
export const ConfigSource = z.enum(['request', 'objective', 'project', 'default'])

/** The effective launch configuration, frozen when the request is queued; placeholders stay as written. */
export const LaunchConfig = z.strictObject({
  agent: z.strictObject({ value: z.string(), source: ConfigSource }),
  model: z.strictObject({ value: z.string().nullable(), source: ConfigSource }),
  reasoningEffort: z.strictObject({ value: z.string().nullable(), source: ConfigSource }),
  preCommand: z.strictObject({ value: z.string().nullable(), source: ConfigSource }),
  flags: z.strictObject({ value: z.array(z.string()), source: ConfigSource }),
})
export type LaunchConfig = z.infer<typeof LaunchConfig>

export const FailurePhase = z.enum(['prepare', 'pre_launch', 'spawn', 'attach', 'service'])

export const ExecutionRequest = z.strictObject({
  id: Uuid,
  projectId: Uuid,
  missionId: Uuid,
  objectiveId: Uuid,
  kind: RequestKind,
  status: RequestStatus,
  outcome: RunOutcome.nullable(),
  source: RequestSource,
  agent: z.string(),
  resourceKey: z.string().nullable(),
  /** The name of the one runner that may take it; null is whichever can. */
  onlyRunner: z.string().nullable().default(null),
  config: LaunchConfig,
  attempt: z.int(),
  generation: z.int(),
  runnerId: Uuid.nullable(),
  runnerLabel: z.string().nullable(),
  sessionId: Uuid.nullable(),
  /** An agent that nobody launched attached to its objective after it: nothing goes on with it any more. */
  workedOnSince: z.boolean().default(false),
  /** Its process ended while it waited, for an answer or its provider, and another run goes on with it. */
  goneOn: z.boolean().default(false),
  /** What its session last said with a heartbeat. */
  progress: z
    .strictObject({ percent: z.number().nullable(), note: z.string().nullable() })
    .nullable()
    .default(null),
  workingDirectory: z.string().nullable(),
  branch: z.string().nullable(),
  /** The commit at which it begins. */
  baseSha: z.string().nullable().default(null),
  /** What it was prepared on in other resources that it may write to; a branch that it did not use may be gone. */
  otherBranches: z
    .array(z.strictObject({ resourceKey: z.string(), branch: z.string(), baseSha: z.string() }))
    .default([]),
  /** What went wrong while it was prepared and with what it left behind, a sentence each. */
  warnings: z.array(z.string()).default([]),
  failure: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      phase: FailurePhase,
      next: RunnerStep.optional(),
    })
    .nullable(),
  /**
   * The last time it was given back, or why it does not begin yet; `detail` is a sentence that says where, and what would
   * end it. `until`: when the runner tries it again, where a limit of the agent's provider is the reason.
   */
  lastRelease: z
    .strictObject({
      reason: z.string(),
      at: Timestamp,
      detail: z.string().nullable().default(null),
      until: Timestamp.nullable().default(null),
      next: RunnerStep.optional(),
    })
    .nullable(),
  exit: z
    .strictObject({
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      cause: z.string(),
      lastOutput: z.string(),
      /** What the agent last said went wrong. */
      agentError: z.string().nullable().default(null),
      /** The limit of its provider that ended it. */
      limit: AgentLimit.nullable().default(null),
    })
    .nullable(),
  /** The checks for which its last delivery was refused, in a line; null where it was not. */
  refusedFor: z.string().nullable().default(null),
  /** What its agent said that it used; null where it said nothing. */
  usage: Usage.nullable().default(null),
  /** From the start of its agent to its end; null before it has one. */
  seconds: z.int().nonnegative().nullable().default(null),
  runAfter: Timestamp,
  leaseExpiresAt: Timestamp.nullable(),
  attachBy: Timestamp.nullable(),
  /** Since when a person wants it ended; the runner that has it is notified with its next heartbeat. */
  cancelRequestedAt: Timestamp.nullable().default(null),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  endedAt: Timestamp.nullable(),
})
export type ExecutionRequest = z.infer<typeof ExecutionRequest>

const Named = z.strictObject({ displayId: z.string(), title: z.string() })

/** A run with what a list says of its work. */
export const ListedRun = z.strictObject({
  ...ExecutionRequest.shape,
  mission: Named,
  objective: Named,
  /** The objective, by itself or with its mission. */
  deleted: z.boolean(),
  /** When its agent last called; null before it attached. */
  lastHeardAt: Timestamp.nullable(),
})
export type ListedRun = z.infer<typeof ListedRun>

const counted = z.int().min(0).max(limits.countedRuns)

/** So many of each; `limits.countedRuns` stands for as many or more. */
export const RunCounts = z.strictObject({
  queued: counted,
  /** Taken by a runner, and not over; none that is parked. */
  running: counted,
  /** Deliveries since the moment that was asked for, also of agents that nobody launched. */
  delivered: counted,
})
export type RunCounts = z.infer<typeof RunCounts>

export const LaunchWarning = z.strictObject({
  code: z.enum(['agent_not_available', 'left_queue', 'replaced']),
  message: z.string(),
  next: NextStep.optional(),
})
