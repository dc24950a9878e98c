import { inFlightStates } from '@svc/contracts/run-queue'
import {
  type ObjectiveState,
  namesWhere,
  objectiveStates,
  questionStatuses,
  requestStatuses,
  runOutcomes,
  sessionStatuses,
} from '@svc/contracts/states'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'

export const activeStates = namesWhere(objectiveStates, (state) => state.active)
export const pendingStatuses = namesWhere(questionStatuses, (status) => status.pending)
export const notStartedStates = namesWhere(objectiveStates, (state) => !state.started)
export const unendedStatuses = namesWhere(sessionStatuses, (status) => !status.over)
const liveSessionStatuses = namesWhere(sessionStatuses, (status) => status.live)

const startedStates = namesWhere(objectiveStates, (state) => state.started)
const liveStatuses = namesWhere(requestStatuses, (status) => status.live === true)
const judgedByOutcome = namesWhere(requestStatuses, ({ live }) => live === 'by its outcome')
const heldStatuses = namesWhere(requestStatuses, (status) => status.held)
const liveOutcomes = namesWhere(runOutcomes, (outcome) => outcome.live)
const overOutcomes = namesWhere(runOutcomes, (outcome) => !outcome.live)
const watchedStatuses = namesWhere(sessionStatuses, (status) => status.watched)

export function isActive(state: ObjectiveState): boolean {
  return objectiveStates[state].active
}

export function isStarted(state: ObjectiveState): boolean {
  return objectiveStates[state].started
}

/** A runner has the request, and has not reported its end. */
export function isHeld(request: Pick<ExecutionRequestRow, 'status' | 'ended_at'>): boolean {
  return requestStatuses[request.status].held && request.ended_at === null
}

/**
 * The predicates in SQL, on a table or its alias. They are made of literals: only so does a statement match the
 * condition of a partial index.
 */
export const where = {
  /** The request may still become a run, or is a run under way. A unique index allows one for each objective. */
  live: (requests = 'execution_requests') =>
    sql<boolean>`(${oneOf(requests, 'status', liveStatuses)}
      or (${oneOf(requests, 'status', judgedByOutcome)} and ${oneOf(requests, 'outcome', liveOutcomes)}))`,
  held: (requests = 'execution_requests') =>
    sql<boolean>`(${oneOf(requests, 'status', heldStatuses)} and ${sql.ref(`${requests}.ended_at`)} is null)`,
  /** The run that the request led to is over. */
  over: (requests = 'execution_requests') =>
    sql<boolean>`(${oneOf(requests, 'status', judgedByOutcome)} and ${oneOf(requests, 'outcome', overOutcomes)})`,
  active: (objectives = 'objectives') => oneOf(objectives, 'state', activeStates),
  started: (objectives = 'objectives') => oneOf(objectives, 'state', startedStates),
  /** The session has not ended and is not given up. One that waits for an answer is heard of by its run's lease alone. */
  liveSession: (sessions = 'agent_sessions') => oneOf(sessions, 'status', liveSessionStatuses),
  /** The session may be heard of again: it lives, or it was given up. */
  unendedSession: (sessions = 'agent_sessions') => oneOf(sessions, 'status', unendedStatuses),
  /** The silence of the session is measured. */
  watched: (sessions = 'agent_sessions') => oneOf(sessions, 'status', watchedStatuses),
  /** The entry of a queue has been launched, and its run is not over. An index keeps it one of a queue. */
  inFlight: (entries = 'run_queue_entries') => oneOf(entries, 'state', inFlightStates),
  pendingQuestion: (questions = 'questions') => oneOf(questions, 'status', pendingStatuses),
}

/** What a run is in: its outcome, or its status while it has none. As the indexes that begin with it have it. */
export function stateOfRun(requests: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`${requests}.outcome`)}, ${sql.ref(`${requests}.status`)})`
}

function oneOf(table: string, column: string, values: readonly string[]): RawBuilder<boolean> {
  const literals = values.map((value) => sql.lit(value))
  // one value as an equation, as the conditions of the indexes have it
  const [only] = literals
  return literals.length === 1
    ? sql<boolean>`${sql.ref(`${table}.${column}`)} = ${only}`
    : sql<boolean>`${sql.ref(`${table}.${column}`)} in (${sql.join(literals)})`
}
