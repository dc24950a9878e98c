import { z } from 'zod'

// spec: States and transitions
export const ObjectiveState = z.enum([
  'draft',
  'submitted',
  'launching',
  'executing',
  'complete',
  'awaiting_approval',
])
export type ObjectiveState = z.infer<typeof ObjectiveState>

/** Why the last run of an objective ended without a delivery. Decision 19. */
export const LastOutcome = z.enum(['lost', 'exited', 'cancelled', 'question_expired'])
export type LastOutcome = z.infer<typeof LastOutcome>

export const RequestStatus = z.enum([
  'queued',
  'claimed',
  'launching',
  'launched',
  'failed',
  'cancelled',
  'expired',
])
export type RequestStatus = z.infer<typeof RequestStatus>

/** What became of the run after `launched`. Decision 23. */
export const RunOutcome = z.enum(['running', 'parked', 'delivered', 'exited', 'lost', 'cancelled'])
export type RunOutcome = z.infer<typeof RunOutcome>

/** What a run is in: its outcome where it has one, else its status. */
export const RunState = z.enum([...new Set([...RequestStatus.options, ...RunOutcome.options])])
export type RunState = z.infer<typeof RunState>

export const RequestKind = z.enum(['run', 'resume'])
export const RequestSource = z.enum([
  'api',
  'web',
  'cli',
  'mcp',
  'auto_advance',
  'run_queue',
  'answer',
  'limit',
])
export type RequestSource = z.infer<typeof RequestSource>

/** The vocabulary that all projects share; `phase` of a mission is the type of its status. Decision 32. */
export const StatusType = z.enum(['draft', 'execute', 'review', 'complete', 'blocked', 'cancelled'])
export type StatusType = z.infer<typeof StatusType>

/** In a mission of such a status nothing is launched or claimed, until a person moves it back. */
export const closedTypes: readonly StatusType[] = ['complete', 'cancelled']
export function isClosed(type: StatusType): boolean {
  return closedTypes.includes(type)
}

export const Priority = z.enum(['low', 'normal', 'high', 'urgent'])

export const SessionPhase = z.enum(['execute', 'review'])
export const SessionStatus = z.enum([
  'active',
  'waiting_answer',
  'stale',
  'parked',
  'lost',
  'ended',
])
export type SessionStatus = z.infer<typeof SessionStatus>
export const SessionEndReason = z.enum([
  'delivered',
  'exited',
  'superseded',
  'cancelled',
  'question_expired',
])
export type SessionEndReason = z.infer<typeof SessionEndReason>

/** The states of a question that an agent asked. */
export const QuestionStatus = z.enum(['open', 'answered', 'delivered', 'withdrawn', 'expired'])
export type QuestionStatus = z.infer<typeof QuestionStatus>

export const ConnectionState = z.enum(['connected', 'unavailable'])
export const ResourcePermission = z.enum(['rw', 'ro'])

export const VcsStatus = z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'untracked'])

/** What the states mean to whoever asks; one that is named above and not here does not compile. */
export const objectiveStates = {
  draft: { started: false, active: false },
  submitted: { started: false, active: false },
  awaiting_approval: { started: false, active: false },
  launching: { started: true, active: true },
  executing: { started: true, active: true },
  complete: { started: true, active: false },
} as const satisfies Record<ObjectiveState, { started: boolean; active: boolean }>

export type NotStartedState = {
  [State in ObjectiveState]: (typeof objectiveStates)[State]['started'] extends true ? never : State
}[ObjectiveState]

export function isNotStarted(state: ObjectiveState): state is NotStartedState {
  return !objectiveStates[state].started
}

/** `held`: a runner has it until it reports its end. `live`: it still leads to a run, or is one. */
export const requestStatuses = {
  queued: { live: true, held: false },
  claimed: { live: true, held: true },
  launching: { live: true, held: true },
  launched: { live: 'by its outcome', held: true },
  failed: { live: false, held: false },
  cancelled: { live: false, held: false },
  expired: { live: false, held: false },
} as const satisfies Record<RequestStatus, { live: boolean | 'by its outcome'; held: boolean }>

export const runOutcomes = {
  running: { live: true },
  parked: { live: true },
  delivered: { live: false },
  exited: { live: false },
  lost: { live: false },
  cancelled: { live: false },
} as const satisfies Record<RunOutcome, { live: boolean }>

/** What is queued or under way, of the states that a run can be in. */
export const liveRunStates = [
  ...namesWhere(requestStatuses, ({ live }) => live === true),
  ...namesWhere(runOutcomes, ({ live }) => live),
]

interface RequestState {
  status: RequestStatus
  outcome: RunOutcome | null
}

/** The request still leads to a run, or is one. */
export function isLive({ status, outcome }: RequestState): boolean {
  const { live } = requestStatuses[status]
  return live === 'by its outcome' ? outcome !== null && runOutcomes[outcome].live : live
}

/**
 * `watched`: its silence is measured, and ends it at last. `over`: it says nothing more, and nothing resumes it. `parked`:
 * its agent has ended, and another goes on with its work once the provider takes work again.
 */
export const sessionStatuses = {
  active: { live: true, watched: true, over: false },
  waiting_answer: { live: true, watched: false, over: false },
  stale: { live: true, watched: true, over: false },
  parked: { live: true, watched: false, over: false },
  lost: { live: false, watched: false, over: false },
  ended: { live: false, watched: false, over: true },
} as const satisfies Record<SessionStatus, { live: boolean; watched: boolean; over: boolean }>

export function isSessionOver({ status }: { status: SessionStatus }): boolean {
  return sessionStatuses[status].over
}

/** `pending`: its agent has not taken an answer, and a session has one such question at a time. */
export const questionStatuses = {
  open: { pending: true },
  answered: { pending: true },
  delivered: { pending: false },
  withdrawn: { pending: false },
  expired: { pending: false },
} as const satisfies Record<QuestionStatus, { pending: boolean }>

/** The names of those rows that the condition holds for, in the order of the table. */
export function namesWhere<Name extends string, Row>(
  table: Readonly<Record<Name, Row>>,
  holds: (row: Row) => boolean,
): Name[] {
  // Object.keys says string only; they are the keys of the table
  return (Object.keys(table) as Name[]).filter((name) => holds(table[name]))
}
