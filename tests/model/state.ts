import type { EntryState } from '@svc/contracts/run-queue'
import {
  type NotStartedState,
  type ObjectiveState,
  type QuestionStatus,
  type RequestSource,
  type RequestStatus,
  type RunOutcome,
  type SessionEndReason,
  type SessionStatus,
  type StatusType,
  isClosed,
  isLive,
  isNotStarted,
  objectiveStates,
  questionStatuses,
  sessionStatuses,
} from '@svc/contracts/states'

/** What the model knows of the service between two steps: the states of all that has one, each kind in the order of its making. */
export interface State {
  /** Whatever is written from now on is written by a transaction with this number or a higher one. */
  horizon: string
  missions: Mission[]
  objectives: Objective[]
  requests: Request[]
  sessions: Session[]
  questions: Question[]
  queues: Queue[]
  entries: Entry[]
  deliveries: { id: string; objective: string; session: string; checks: Checked | null }[]
  /** The checks of the one project. */
  checks: string[]
  artifacts: Artifact[]
  /** In the order in which their items count. */
  batches: Batch[]
  files: { objective: string; path: string; status: string }[]
  rationales: { objective: string; path: string; why: string; delivered: boolean }[]
}

export interface Mission {
  id: string
  phase: StatusType
  parallel: boolean
  auto: boolean
  deleted: boolean
  restorable: boolean
  budget: { usd: number | null; tokens: number | null; runs: number | null }
}

export interface Objective {
  id: string
  mission: string
  state: ObjectiveState
  prior: NotStartedState | null
  position: number | null
  blank: boolean
  agent: string | null
  model: string | null
  resource: string | null
  /** How its last run ended, until something begins anew. */
  outcome: RunOutcome | null
  /** Its last run came to nothing, and nobody has had a word about it. */
  stopped: boolean
  /** The one check that was picked, or none of them. */
  check: string | null
  deleted: boolean
  restorable: boolean
}

export type Checked = 'passed' | 'failed' | 'not_run'

export interface Request {
  id: string
  objective: string
  mission: string
  status: RequestStatus
  outcome: RunOutcome | null
  kind: 'run' | 'resume'
  agent: string
  model: string | null
  resource: string | null
  generation: number
  attempt: number
  seq: number
  cancelling: boolean
  ended: boolean
  resumeOf: string | null
  onlyDevice: string | null
  source: RequestSource
  /** A limit of its agent's provider keeps it for now from being taken, by whomever. */
  held: boolean
  /** Its last runner gave it back until a time, and a person may say that this is over. */
  givenBackUntil: boolean
  /** Runners that leave it alone for now, having given it back. */
  left: string[]
  /** Time has ended it, and a sweep will say so. */
  overdue: boolean
  /** Some runner has had it. */
  taken: boolean
  /** What it counts with, once it counts. */
  used: { inputTokens?: number; outputTokens?: number; usd?: string } | null
  /** Its lease stands: somebody is there who can run a check. */
  leased: boolean
  /** The attempt at a delivery that waits for checks, or was the last one. */
  check: Attempt | null
}

export interface Attempt {
  number: number
  begun: boolean
  /** Of those who waited; null until it was reported. */
  outcome: Checked | null
  /** It was refused to who waited. */
  refused: boolean
  /** Failures that were refused before. */
  failures: number
  /** Nobody has begun it, or said what came of it, in time. */
  overdue: boolean
}

export interface Session {
  id: string
  objective: string
  mission: string
  request: string | null
  generation: number | null
  status: SessionStatus
  endReason: SessionEndReason | null
  seq: number
  overdue: boolean
}

export interface Question {
  id: string
  objective: string
  session: string
  status: QuestionStatus
  overdue: boolean
}

export interface Queue {
  id: string
  paused: boolean
  byPerson: boolean
  advancePending: boolean
}

export interface Entry {
  id: string
  queue: string
  objective: string
  state: EntryState
  reason: string | null
  turn: boolean
  request: string | null
}

interface Artifact {
  id: string
  mission: string
  revision: number
}

/** Changed files that were reported, and wait for the delivery. */
interface Batch {
  id: string
  objective: string
  /** As they were reported: one without a status does not count. */
  items: { filePath: string; vcsStatus?: string }[]
  drained: boolean
}

export function missionOf(state: State, { mission }: { mission: string }): Mission {
  return found(state.missions, mission)
}

export function objectiveOf(state: State, { objective }: { objective: string }): Objective {
  return found(state.objectives, objective)
}

export function found<T extends { id: string }>(all: readonly T[], id: string): T {
  const one = all.find((other) => other.id === id)
  if (!one) throw new Error(`${id} is of this state`)
  return one
}

/** Deleted, by itself or with its mission. */
export function isGone(state: State, objective: Objective): boolean {
  return objective.deleted || missionOf(state, objective).deleted
}

export function isClosedFor(state: State, of: { mission: string }): boolean {
  return isClosed(missionOf(state, of).phase)
}

export function activeIn(state: State, mission: string): Objective[] {
  return state.objectives.filter(
    (one) => one.mission === mission && objectiveStates[one.state].active,
  )
}

/** Another one holds the slot of its mission. */
export function isBusyFor(state: State, { id, mission }: Objective): boolean {
  if (missionOf(state, { mission }).parallel) return false
  return activeIn(state, mission).some((one) => one.id !== id)
}

export function futureOf(state: State, mission: string): Objective[] {
  return state.objectives
    .filter((one) => one.mission === mission && !one.deleted && isNotStarted(one.state))
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
}

export function liveRequestOf(state: State, { id }: { id: string }): Request | undefined {
  return state.requests.find((one) => one.objective === id && isLive(one))
}

export function newestRequestOf(state: State, { id }: { id: string }): Request | undefined {
  return state.requests.findLast((one) => one.objective === id)
}

/** The newest of the request's present generation. */
export function sessionOfRequest(state: State, request: Request): Session | undefined {
  return state.sessions.findLast(
    (one) => one.request === request.id && one.generation === request.generation,
  )
}

export function liveSessionOf(state: State, { id }: { id: string }): Session | undefined {
  return state.sessions.find((one) => one.objective === id && sessionStatuses[one.status].live)
}

export function entryOf(state: State, { id }: { id: string }): Entry | undefined {
  return state.entries.find((one) => one.objective === id)
}

export function pendingOf(state: State, { id }: Session): Question | undefined {
  return state.questions.find((one) => one.session === id && questionStatuses[one.status].pending)
}
