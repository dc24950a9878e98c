import { z } from 'zod'
import { Revision, Timestamp, Uuid } from './ids.ts'
import { Priority, StatusType } from './states.ts'
import { Budget, UsageSum, noBudget, noUsage } from './usage.ts'

export const MissionStatus = z.strictObject({
  id: Uuid,
  type: StatusType,
  label: z.string(),
})
export type MissionStatus = z.infer<typeof MissionStatus>

// spec: Resources and their fields > Mission
export const Mission = z.strictObject({
  id: Uuid,
  displayId: z.string(),
  projectId: Uuid,
  title: z.string(),
  status: MissionStatus,
  phase: StatusType,
  priority: Priority,
  active_branch: z.string().nullable(),
  allowParallelObjectives: z.boolean(),
  auto_advance: z.boolean(),
  /** Whether its runs work in worktrees; null where its project says. */
  useWorktrees: z.boolean().nullable().default(null),
  /** An agent waits for an answer of a person. */
  hasOpenQuestion: z.boolean().default(false),
  /** What its runs may use before nothing of it is launched any more. */
  budget: Budget.default(noBudget),
  /** The launches that count for its budget. */
  launches: z.int().nonnegative().default(0),
  /** What its runs have used. */
  usage: UsageSum.default(noUsage),
  revision: Revision,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Mission = z.infer<typeof Mission>

/** Where a search found its words in a mission. */
export const MissionMatch = z.strictObject({
  missionId: Uuid,
  /** The first one that has them, together with the title of the mission; null where that alone has them all. */
  objective: z.strictObject({ id: Uuid, displayId: z.string(), title: z.string() }).nullable(),
  /** What stands around the first of them in its instruction; null where none does. */
  excerpt: z.string().nullable(),
})
export type MissionMatch = z.infer<typeof MissionMatch>

export const BudgetWarning = z.strictObject({
  code: z.enum(['budget_exhausted', 'budget_unknown_cost']),
  message: z.string(),
})
export type BudgetWarning = z.infer<typeof BudgetWarning>

/** One entry of a mission's history. `type` is built in, or `<namespace>:<name>`. */
export const MissionEvent = z.strictObject({
  id: Uuid,
  missionId: Uuid,
  objectiveId: Uuid.nullable(),
  type: z.string(),
  summary: z.string(),
  actor: z.strictObject({ name: z.string(), role: z.string() }),
  data: z.record(z.string(), z.unknown()),
  createdAt: Timestamp,
  /** Within a mission, what happened later has the higher number; its webhook events share this count. */
  sequence: z.int(),
})
export type MissionEvent = z.infer<typeof MissionEvent>

export const MissionEventType = z.enum([
  'update',
  'ask',
  'answer',
  'question_closed',
  'delivery',
  'execution_requested',
  'execution_claimed',
  'execution_launched',
  'execution_released',
  'execution_failed',
  'execution_cancelled',
  'check_run',
  'cancel_requested',
  'cancel_superseded',
  'run_ended',
  'session_attached',
  'session_lost',
  'session_revived',
  'awaiting_approval',
  'status_change',
  'branch_prepared',
  'artifact_added',
  'artifact_updated',
  'objective_changed',
  'queue_paused',
  'deleted',
  'restored',
])
/**
 * What every run leaves in the history of its mission on its way from the launch to what awaits approval after it. Nothing
 * of it is about the work.
 */
export const routineEvents = [
  'execution_requested',
  'execution_claimed',
  'execution_launched',
  'execution_released',
  'branch_prepared',
  'session_attached',
  'status_change',
  'awaiting_approval',
] as const satisfies readonly z.infer<typeof MissionEventType>[]

export type MissionEventType = z.infer<typeof MissionEventType> | `${string}:${string}`
