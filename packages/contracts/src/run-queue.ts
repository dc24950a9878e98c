import { z } from 'zod'
import { AgentHold } from './agent-limit.ts'
import { ObjectiveRef, Revision, Timestamp, Uuid } from './ids.ts'
import { namesWhere } from './states.ts'

/** `idle`: nothing runs and no advance is pending. `owing`: one is. `running`: an entry is dispatched or running. */
export const RunQueueState = z.enum(['paused', 'running', 'owing', 'idle'])

/** `inFlight`: it has been launched, and its run is not over. A queue has at most one. */
const entryStates = {
  waiting: { inFlight: false },
  held: { inFlight: false },
  dispatched: { inFlight: true },
  running: { inFlight: true },
} as const satisfies Record<string, { inFlight: boolean }>

export type EntryState = keyof typeof entryStates
// The keys of an object literal are its key type; Object.keys only says string.
export const EntryState = z.enum(Object.keys(entryStates) as EntryState[])
export const inFlightStates = namesWhere(entryStates, (state) => state.inFlight)

export function isInFlight({ state }: { state: EntryState }): boolean {
  return entryStates[state].inFlight
}

/** Who ends the reason: `time`, as when a runner comes back, `person`, or `retry`, a person who says so. */
interface ReasonRow {
  readonly ends: 'time' | 'person' | 'retry'
  readonly state: Extract<EntryState, 'waiting' | 'held'>
}

/** Why an entry is not launched now. Decision 35. */
export const entryReasons = {
  turn: { ends: 'time', state: 'waiting' },
  mission_busy: { ends: 'time', state: 'waiting' },
  resource_not_connected: { ends: 'time', state: 'waiting' },
  no_instruction: { ends: 'person', state: 'held' },
  no_agent: { ends: 'person', state: 'held' },
  no_resource: { ends: 'person', state: 'held' },
  resource_read_only: { ends: 'person', state: 'held' },
  mission_closed: { ends: 'person', state: 'held' },
  budget_exhausted: { ends: 'person', state: 'held' },
  budget_unknown_cost: { ends: 'person', state: 'held' },
  forbidden: { ends: 'person', state: 'held' },
  run_failed: { ends: 'retry', state: 'held' },
  run_lost: { ends: 'retry', state: 'held' },
  run_exited: { ends: 'retry', state: 'held' },
  question_expired: { ends: 'retry', state: 'held' },
  check_failed: { ends: 'retry', state: 'held' },
  check_not_run: { ends: 'retry', state: 'held' },
} as const satisfies Record<string, ReasonRow>

export type EntryReason = keyof typeof entryReasons
// The keys of an object literal are its key type; Object.keys only says string.
export const EntryReason = z.enum(Object.keys(entryReasons) as [EntryReason, ...EntryReason[]])

/** What paused the queue where no person did: how the run of one of its entries ended. */
export const PauseReason = z.enum([
  'run_failed',
  'run_lost',
  'run_exited',
  'run_cancelled',
  'question_expired',
])
export type PauseReason = z.infer<typeof PauseReason>

/** What a waiting entry waits for: the objective that keeps its mission busy, or a resource by its key. */
export const WaitingOn = z.strictObject({
  type: z.enum(['objective', 'resource']),
  id: z.string(),
})
export type WaitingOn = z.infer<typeof WaitingOn>

export const RunQueueEntry = z.strictObject({
  id: Uuid,
  objectiveId: Uuid,
  displayId: z.string(),
  title: z.string(),
  position: z.int(),
  state: EntryState,
  reason: EntryReason.nullable(),
  waitingOn: WaitingOn.nullable(),
  /** How often it was launched from the queue. */
  attempt: z.int(),
  /** Who said that its turn is next. */
  turnGrantedBy: Uuid.nullable(),
  queuedBy: Uuid,
  executionRequestId: Uuid.nullable(),
  /** Its run waits for a provider's limit to end. */
  hold: AgentHold.nullable().default(null),
})
export type RunQueueEntry = z.infer<typeof RunQueueEntry>

// spec: Resources and their fields > Run Queue
export const RunQueue = z.strictObject({
  id: Uuid,
  projectId: Uuid,
  name: z.string(),
  position: z.int(),
  isDefault: z.boolean(),
  state: RunQueueState,
  pausedAt: Timestamp.nullable(),
  /** A person; null where the end of a run paused it. */
  pausedBy: Uuid.nullable(),
  pauseReason: PauseReason.nullable(),
  /** Since when an advance is pending: a delivery asks for the launch of the next entry. */
  advanceOwedSince: Timestamp.nullable(),
  revision: Revision,
})
export type RunQueue = z.infer<typeof RunQueue>

/** The queue with its entries in their order. */
export const WholeQueue = RunQueue.extend({ entries: z.array(RunQueueEntry) })
export type WholeQueue = z.infer<typeof WholeQueue>

/** Named where something else pauses it. */
export const PausedQueue = RunQueue.pick({ id: true, name: true })
export type PausedQueue = z.infer<typeof PausedQueue>

/** Where an entry goes: behind another one, first, or at a position counted from 1. Last when nothing is said. */
export const Placement = {
  after: ObjectiveRef.optional(),
  front: z.boolean().optional(),
  position: z.int().min(1).optional(),
}

export function isOnePosition(input: {
  after?: unknown
  front?: boolean | undefined
  position?: unknown
}) {
  const given = [input.after !== undefined, input.front === true, input.position !== undefined]
  return given.filter(Boolean).length <= 1
}
export const onePositionMessage = 'give one of after, front and position'
