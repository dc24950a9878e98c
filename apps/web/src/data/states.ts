import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Objective } from '@svc/contracts/objective'
import type { RunQueueEntry } from '@svc/contracts/run-queue'
import type { ObjectiveState, StatusType } from '@svc/contracts/states'
import {
  closedTypes,
  inFlightStates,
  objectiveStates,
  requestStatuses,
  runOutcomes,
} from './contracts.values.ts'

// What the states of the contracts mean to a page, by the contracts' own tables.

export function isNotStarted(state: ObjectiveState): boolean {
  return !objectiveStates[state].started
}

/** A run of it is queued or under way. */
export function isActive(state: ObjectiveState): boolean {
  return objectiveStates[state].active
}

export function isClosed(phase: StatusType): boolean {
  return closedTypes.includes(phase)
}

/** The run still leads to an agent at work, or is one. */
export function isLive({ status, outcome }: Pick<ExecutionRequest, 'status' | 'outcome'>): boolean {
  const { live } = requestStatuses[status]
  return live === 'by its outcome' ? outcome !== null && runOutcomes[outcome].live : live
}

/** It says what is to be done, and nothing of it has begun. */
export function isLaunchable({
  state,
  instruction,
}: Pick<Objective, 'state' | 'instruction'>): boolean {
  return isNotStarted(state) && instruction.trim() !== ''
}

/** The entry of a run queue has been launched, and its run is not over: it is neither moved nor taken out. */
export function isInFlight({ state }: Pick<RunQueueEntry, 'state'>): boolean {
  return inFlightStates.includes(state)
}
