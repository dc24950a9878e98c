import { limits } from '@svc/contracts/limits'
import type { EntryState } from '@svc/contracts/run-queue'
import {
  type NotStartedState,
  type ObjectiveState,
  type QuestionStatus,
  type RequestStatus,
  type RunOutcome,
  type SessionEndReason,
  type SessionStatus,
  type StatusType,
  isClosed,
  isLive,
  isNotStarted,
  objectiveStates,
  sessionStatuses,
} from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { defaultSeconds } from '@svc/service/seconds'
import { type RawBuilder, sql } from 'kysely'

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
  deliveries: { id: string; objective: string; session: string }[]
}

export interface Mission {
  id: string
  phase: StatusType
  parallel: boolean
  auto: boolean
  deleted: boolean
  restorable: boolean
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
  deleted: boolean
  restorable: boolean
}

export interface Request {
  id: string
  objective: string
  mission: string
  status: RequestStatus
  outcome: RunOutcome | null
  kind: 'run' | 'resume'
  agent: string
  model: string | null
  generation: number
  attempt: number
  seq: number
  cancelling: boolean
  ended: boolean
  resumeOf: string | null
  onlyDevice: string | null
  /** Runners that leave it alone for now, having given it back. */
  left: string[]
  /** Time has ended it, and a sweep will say so. */
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
  owed: boolean
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

/** One statement, so that it is one moment. */
export async function readState(db: Queryable): Promise<State> {
  const { rows } = await read.execute(db)
  if (!rows[0]) throw new Error('a statement without a table answers one row')
  return rows[0].state
}

function isPast(since: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> {
  return sql`coalesce(${since} + make_interval(secs => ${sql.lit(seconds)}) < app.now(), false)`
}

/** Of a request: nobody attached in time, nobody ended what was cancelled, its lease has lapsed, or its agent is silent. */
const isOverdue = sql<boolean>`(
  (status = 'launched' and ${isPast(sql`attach_by`, 0)})
  or (ended_at is null and ${isPast(sql`cancel_requested_at`, defaultSeconds.cancel)})
  or (status in ('claimed', 'launching', 'launched') and ended_at is null
    and coalesce(outcome, 'running') = 'running'
    and ${isPast(sql`lease_expires_at`, defaultSeconds.lease / 4)}
    and not exists (select from agent_sessions s
      where s.execution_request_id = r.id and s.generation = r.generation))
  or (status = 'launched' and outcome = 'running' and exists (select from agent_sessions s
      where s.execution_request_id = r.id and s.generation = r.generation
        and s.status in ('active', 'waiting_answer', 'stale')
        and ${isPast(sql`greatest(s.last_heard_at, r.lease_renewed_at)`, defaultSeconds.lost)})))`

const read = sql<{ state: State }>`
  select json_build_object(
    'horizon', pg_snapshot_xmax(pg_current_snapshot())::text,
    'missions', (select coalesce(json_agg(json_build_object(
        'id', m.id, 'phase', s.type, 'parallel', m.allow_parallel_objectives,
        'auto', m.auto_advance, 'deleted', m.deleted_at is not null,
        'restorable', m.deleted_at is null or m.deleted_at > app.now() - make_interval(days => ${limits.restorableDays}))
        order by m.sequence), '[]')
      from missions m join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id),
    'objectives', (select coalesce(json_agg(json_build_object(
        'id', id, 'mission', mission_id, 'state', state, 'prior', prior_state, 'position', position,
        'blank', blank, 'agent', assigned_agent, 'model', model, 'deleted', deleted_at is not null,
        'restorable', deleted_at is null or deleted_at > app.now() - make_interval(days => ${limits.restorableDays}))
        order by id), '[]') from objectives),
    'requests', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'mission', mission_id, 'status', status,
        'outcome', outcome, 'kind', kind, 'agent', agent, 'model', config -> 'model' ->> 'value',
        'generation', generation, 'attempt', attempt, 'seq', seq, 'resumeOf', resume_of,
        'cancelling', cancel_requested_at is not null, 'ended', ended_at is not null,
        'onlyDevice', only_device,
        'left', array(select key from jsonb_each(waits)
                       where (value ->> 'until')::timestamptz > app.now()),
        'overdue', ${isOverdue}) order by created_at, id), '[]') from execution_requests r),
    'sessions', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'mission', mission_id,
        'request', execution_request_id, 'generation', generation, 'status', status,
        'endReason', end_reason, 'seq', seq, 'overdue', execution_request_id is null
          and status in ('active', 'stale') and ${isPast(sql`last_heard_at`, defaultSeconds.lost)})
        order by seq), '[]') from agent_sessions),
    'questions', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'session', session_id, 'status', status,
        'overdue', closed_at is null and expires_at < app.now()) order by asked_at, id), '[]') from questions),
    'queues', (select coalesce(json_agg(json_build_object(
        'id', id, 'paused', paused_at is not null, 'byPerson', paused_by is not null,
        'owed', advance_owed_since is not null) order by position), '[]') from run_queues),
    'entries', (select coalesce(json_agg(json_build_object(
        'id', id, 'queue', run_queue_id, 'objective', objective_id, 'state', state,
        'reason', reason, 'turn', turn_granted_by is not null, 'request', execution_request_id)
        order by run_queue_id, position), '[]') from run_queue_entries),
    'deliveries', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'session', session_id) order by id), '[]')
      from deliveries)) as state`

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

export function isInFlight({ state }: Entry): boolean {
  return state === 'dispatched' || state === 'running'
}

export function pendingOf(state: State, { id }: Session): Question | undefined {
  return state.questions.find(
    (one) => one.session === id && (one.status === 'open' || one.status === 'answered'),
  )
}
