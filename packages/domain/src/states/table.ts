import type { BuiltInEventType, builtInEvents } from '@svc/contracts/events'
import type {
  ObjectiveState,
  QuestionStatus,
  RequestStatus,
  RunOutcome,
  RunState,
  SessionEndReason,
  SessionPhase,
  SessionStatus,
  StatusType,
} from '@svc/contracts/states'
import type { z } from 'zod'
import { pendingStatuses, unendedStatuses } from './states.ts'

/** `row`: of the spec's table States and transitions. `decided`: the decision that fills a gap of it. */
interface Source {
  row?: number
  decided?: number
}

/** A row whose mover publishes events; the movers of other rows cannot. */
interface PublishingSource extends Source {
  publishes?: readonly BuiltInEventType[]
}

interface ObjectiveTransition extends PublishingSource {
  from: readonly ObjectiveState[]
  /** `prior` is the state that the objective had when it was launched. */
  to: ObjectiveState | 'prior'
}

export const objectiveLifecycle = {
  launch: {
    row: 1,
    from: ['draft', 'submitted', 'awaiting_approval', 'launching'],
    to: 'launching',
  },
  attach: {
    row: 5,
    from: ['draft', 'submitted', 'awaiting_approval', 'launching'],
    to: 'executing',
  },
  ask: { row: 6, from: ['executing'], to: 'executing', publishes: ['mission.blocked'] },
  deliver: {
    row: 8,
    from: ['executing'],
    to: 'complete',
    publishes: ['mission.delivered', 'objective.completed'],
  },
  advance: { row: 9, from: ['draft', 'submitted'], to: 'launching' },
  awaitApproval: {
    row: 10,
    from: ['draft', 'submitted'],
    to: 'awaiting_approval',
    publishes: ['svc:awaiting_approval'],
  },
  submit: { decided: 19, from: ['draft'], to: 'submitted' },
  queue: { decided: 35, from: ['draft', 'awaiting_approval'], to: 'submitted' },
  sendBack: { decided: 29, from: ['submitted', 'awaiting_approval'], to: 'draft' },
  launchMissing: { decided: 24, from: ['launching'], to: 'prior' },
  launchFail: { decided: 24, from: ['launching'], to: 'prior', publishes: ['svc:run_failed'] },
  launchCancel: { decided: 31, from: ['launching'], to: 'prior', publishes: ['svc:run_cancelled'] },
  exit: { decided: 19, from: ['executing'], to: 'submitted', publishes: ['svc:run_failed'] },
  lose: { decided: 19, from: ['executing'], to: 'submitted', publishes: ['svc:run_lost'] },
  cancel: { decided: 31, from: ['executing'], to: 'submitted', publishes: ['svc:run_cancelled'] },
  revive: { decided: 25, from: ['draft', 'submitted', 'awaiting_approval'], to: 'executing' },
  restore: { decided: 36, from: ['submitted', 'awaiting_approval'], to: 'draft' },
} as const satisfies Record<string, ObjectiveTransition>

interface RequestTransition extends Source {
  from: readonly RequestStatus[]
  to: RequestStatus
  /** For a request that is launched before or after: what became of its run. */
  outcomeFrom?: readonly RunOutcome[]
  outcome?: RunOutcome
}

export const requestLifecycle = {
  claim: { row: 2, from: ['queued'], to: 'claimed' },
  launching: { row: 2, from: ['claimed', 'launching'], to: 'launching' },
  launched: { row: 3, from: ['launching'], to: 'launched', outcome: 'running' },
  fail: { row: 4, from: ['claimed', 'launching'], to: 'failed' },
  attach: {
    row: 5,
    from: ['launching', 'launched'],
    to: 'launched',
    outcomeFrom: ['running', 'lost', 'parked'],
    outcome: 'running',
  },
  deliver: {
    row: 8,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running', 'lost', 'parked'],
    outcome: 'delivered',
  },
  release: { decided: 24, from: ['claimed', 'launching'], to: 'queued' },
  hold: {
    decided: 87,
    from: ['claimed', 'launching', 'launched'],
    to: 'queued',
    outcomeFrom: ['running'],
  },
  requeue: {
    decided: 25,
    from: ['claimed', 'launching', 'launched'],
    to: 'queued',
    outcomeFrom: ['running'],
  },
  exhaust: {
    decided: 25,
    from: ['claimed', 'launching', 'launched'],
    to: 'failed',
    outcomeFrom: ['running'],
  },
  exitBeforeAttach: { decided: 24, from: ['launched'], to: 'failed', outcomeFrom: ['running'] },
  expire: { decided: 25, from: ['launched'], to: 'expired', outcomeFrom: ['running'] },
  lose: {
    decided: 25,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running'],
    outcome: 'lost',
  },
  exit: {
    decided: 23,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running'],
    outcome: 'exited',
  },
  revive: {
    decided: 25,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['lost', 'parked'],
    outcome: 'running',
  },
  park: {
    decided: 34,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running'],
    outcome: 'parked',
  },
  parkAtLimit: {
    decided: 87,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running'],
    outcome: 'parked',
  },
  resume: {
    decided: 34,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['parked'],
    outcome: 'exited',
  },
  expireQuestion: {
    decided: 34,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running', 'parked'],
    outcome: 'cancelled',
  },
  replace: { decided: 21, from: ['queued'], to: 'cancelled' },
  cancel: { decided: 31, from: ['queued', 'claimed', 'launching'], to: 'cancelled' },
  cancelRun: {
    decided: 31,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running', 'parked', 'lost'],
    outcome: 'cancelled',
  },
  supersede: { decided: 26, from: ['queued', 'claimed'], to: 'cancelled' },
  takeOver: {
    decided: 26,
    from: ['launched'],
    to: 'launched',
    outcomeFrom: ['running', 'lost', 'parked'],
    outcome: 'cancelled',
  },
} as const satisfies Record<string, RequestTransition>

interface SessionTransition extends Source {
  from: readonly SessionStatus[]
  to: SessionStatus
  endReason?: SessionEndReason
  phase?: z.infer<typeof SessionPhase>
  /** The operation under which the live feed shows it. */
  operation: string
}

export const sessionLifecycle = {
  hear: { row: 7, from: ['stale'], to: 'active', operation: 'heard' },
  ask: {
    row: 6,
    from: ['active', 'stale', 'waiting_answer'],
    to: 'waiting_answer',
    operation: 'waits_for_answer',
  },
  takeAnswer: { decided: 34, from: ['waiting_answer'], to: 'active', operation: 'has_answer' },
  fallSilent: { decided: 25, from: ['active'], to: 'stale', operation: 'silent' },
  lose: { decided: 25, from: ['active', 'waiting_answer', 'stale'], to: 'lost', operation: 'lost' },
  park: { decided: 87, from: ['active', 'stale'], to: 'parked', operation: 'parked' },
  revive: { decided: 25, from: unendedStatuses, to: 'active', operation: 'revived' },
  deliver: {
    row: 8,
    from: unendedStatuses,
    to: 'ended',
    endReason: 'delivered',
    phase: 'review',
    operation: 'ended_delivered',
  },
  exit: {
    decided: 23,
    from: unendedStatuses,
    to: 'ended',
    endReason: 'exited',
    operation: 'ended_exited',
  },
  cancel: {
    decided: 31,
    from: unendedStatuses,
    to: 'ended',
    endReason: 'cancelled',
    operation: 'ended_cancelled',
  },
  supersede: {
    decided: 26,
    from: unendedStatuses,
    to: 'ended',
    endReason: 'superseded',
    operation: 'ended_superseded',
  },
  expireQuestion: {
    decided: 34,
    from: unendedStatuses,
    to: 'ended',
    endReason: 'question_expired',
    operation: 'ended_question_expired',
  },
} as const satisfies Record<string, SessionTransition>

interface QuestionTransition extends Source {
  from: readonly QuestionStatus[]
  to: QuestionStatus
}

export const questionLifecycle = {
  answer: { decided: 34, from: ['open'], to: 'answered' },
  take: { decided: 34, from: ['answered'], to: 'delivered' },
  withdraw: { decided: 34, from: pendingStatuses, to: 'withdrawn' },
  expire: { decided: 34, from: pendingStatuses, to: 'expired' },
} as const satisfies Record<string, QuestionTransition>

/** The mover of a mission knows of nothing else that an event could carry. */
type OfMissionAlone = {
  [T in BuiltInEventType]: (typeof builtInEvents)[T]['carries'] extends readonly [] ? T : never
}[BuiltInEventType]

interface MissionTransition extends Source {
  publishes?: readonly OfMissionAlone[]
  /** The first status of this type in the project's order; `chosen` is the one that the caller names. */
  to: StatusType | 'chosen'
  /** Not out of a status that closes the mission: a person's word stands. */
  staysClosed?: true
}

export const missionLifecycle = {
  attach: { row: 5, to: 'execute', publishes: ['mission.status_changed'] },
  deliver: { row: 8, to: 'review', staysClosed: true, publishes: ['mission.status_changed'] },
  move: { row: 11, to: 'chosen', publishes: ['mission.status_changed'] },
} as const satisfies Record<string, MissionTransition>

/** What is made as what: a request by row 1, a session by row 5, a question by row 6. */
export const begins = {
  objective: 'draft',
  request: 'queued',
  session: 'active',
  question: 'open',
} as const

export type ObjectiveTrigger = keyof typeof objectiveLifecycle
export type RequestTrigger = keyof typeof requestLifecycle
export type MissionTrigger = keyof typeof missionLifecycle
export type SessionTrigger = keyof typeof sessionLifecycle
export type QuestionTrigger = keyof typeof questionLifecycle

/** Derived, never listed again: may this trigger fire in that state? */
export function allows(trigger: ObjectiveTrigger, state: ObjectiveState): boolean {
  const from: readonly ObjectiveState[] = objectiveLifecycle[trigger].from
  return from.includes(state)
}

export function allowsRequest(
  trigger: RequestTrigger,
  { status, outcome }: { status: RequestStatus; outcome: RunOutcome | null },
): boolean {
  const row: RequestTransition = requestLifecycle[trigger]
  if (!row.from.includes(status)) return false
  return row.outcomeFrom === undefined || outcome === null || row.outcomeFrom.includes(outcome)
}

/** In which it may fire, each by what became of the run where that is known. */
export function runStatesOf(trigger: RequestTrigger): readonly RunState[] {
  const { from, outcomeFrom }: RequestTransition = requestLifecycle[trigger]
  return from.flatMap<RunState>((status) => (status === 'launched' && outcomeFrom) || [status])
}
