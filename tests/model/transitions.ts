import { isInFlight } from '@svc/contracts/run-queue'
import { StatusType, isClosed, isNotStarted } from '@svc/contracts/states'
import {
  type MissionTrigger,
  begins,
  missionLifecycle,
  objectiveLifecycle,
  questionLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from '@svc/domain/states/table'
import { type Moves, type Affected, Violation, hold } from './command.ts'
import { type Objective, type State, found, objectiveOf } from './state.ts'

interface Row {
  from: readonly string[]
  to: string
  outcomeFrom?: readonly string[]
  outcome?: string
}

interface Moved {
  kind: keyof typeof begins
  id: string
  objective: string
  from: string | undefined
  to: string
}

/** Every state that changed did so along rows of the lifecycle that the step may take, and of what it may touch. */
export function checkTransitions(
  before: State,
  after: State,
  may: Moves & { affects: Affected },
): void {
  const { mission = [], objective = [], request = [], session = [], question = [], affects } = may
  for (const { id, phase } of after.missions) {
    const was = before.missions.find((one) => one.id === id)?.phase ?? phase
    const isMoved = reachable(was, phase, mission.flatMap(rowsOfMission))
    hold(isMoved, 'lifecycle', `the mission ${id} went from ${was} to ${phase}`)
  }
  const objectives = objective.map((trigger) => objectiveLifecycle[trigger])
  for (const one of after.objectives) {
    const was = before.objectives.find(({ id }) => id === one.id)
    const rows = objectives.map((row) => (row.to === 'prior' ? { ...row, to: priorOf(was) } : row))
    const isLaunched = was && isNotStarted(was.state) && one.state === 'launching'
    hold(!isLaunched || one.prior === was.state, 'prior state', `${one.id} lost its prior state`)
    check(
      { ...moved('objective', one.id, was?.state, one.state), objective: one.id },
      rows,
      affects,
    )
  }
  for (const one of after.requests) {
    const was = before.requests.find(({ id }) => id === one.id)
    const rows = request.map((trigger) => spellOut(requestLifecycle[trigger]))
    const move = moved('request', one.id, was && spell(was), spell(one))
    check({ ...move, objective: one.objective }, rows, affects)
    hold(!was || one.generation >= was.generation, 'I-02', `the generation of ${one.id} fell`)
  }
  for (const one of after.sessions) {
    const was = before.sessions.find(({ id }) => id === one.id)
    const rows = session.map((trigger) => sessionLifecycle[trigger])
    const move = moved('session', one.id, was?.status, one.status)
    check({ ...move, objective: one.objective }, rows, affects)
  }
  for (const one of after.questions) {
    const was = before.questions.find(({ id }) => id === one.id)
    const rows = question.map((trigger) => questionLifecycle[trigger])
    const move = moved('question', one.id, was?.status, one.status)
    check({ ...move, objective: one.objective }, rows, affects)
  }
  checkNothingLost(before, after)
  checkQueuesPaused(before, after)
}

function moved(kind: Moved['kind'], id: string, from: string | undefined, to: string) {
  return { kind, id, from, to }
}

function check(move: Moved, rows: readonly Row[], affects: Affected): void {
  const { kind, id, from, to } = move
  if (from === to) return
  const start = from ?? begins[kind]
  if (!reachable(start, to, rows)) {
    throw new Violation('lifecycle', `the ${kind} ${id} went from ${from ?? 'nothing'} to ${to}`)
  }
  const isWithin = affects === 'all' || from === undefined || affects.includes(move.objective)
  hold(isWithin, 'lifecycle', `the ${kind} ${id} is not of what was called for, and became ${to}`)
}

/** In one call a row may pass through several states. */
function reachable(from: string, to: string, rows: readonly Row[]): boolean {
  const seen = new Set([from])
  for (const at of seen) {
    for (const row of rows) if (row.from.includes(at)) seen.add(row.to)
  }
  return seen.has(to)
}

function rowsOfMission(trigger: MissionTrigger): Row[] {
  const types = StatusType.options
  const row = missionLifecycle[trigger]
  const from = 'staysClosed' in row ? types.filter((type) => !isClosed(type)) : types
  return (row.to === 'chosen' ? types : [row.to]).map((to) => ({ from, to }))
}

function priorOf(was: Objective | undefined): string {
  return was?.prior ?? 'draft'
}

function spell({ status, outcome }: { status: string; outcome: string | null }): string {
  return outcome === null ? status : `${status} ${outcome}`
}

/** A launched request's state is its status with its outcome. */
function spellOut(row: Row): Row {
  const from = row.from.flatMap((status) =>
    status === 'launched'
      ? (row.outcomeFrom ?? []).map((outcome) => `launched ${outcome}`)
      : [status],
  )
  return { from, to: row.outcome === undefined ? row.to : `${row.to} ${row.outcome}` }
}

/** The run of an entry has ended without a delivery: its queue waits for a person. */
function checkQueuesPaused(before: State, after: State): void {
  for (const entry of before.entries.filter(isInFlight)) {
    const now = after.entries.find(({ id }) => id === entry.id)
    const isOver = !now || !isInFlight(now)
    const isDelivered = objectiveOf(after, entry).state === 'complete'
    const { paused } = found(after.queues, entry.queue)
    hold(!isOver || isDelivered || paused, 'Q-13', 'the queue goes on past a run that failed')
  }
}

/** What was delivered stays delivered, and no row of the history of work goes. */
function checkNothingLost(before: State, after: State): void {
  for (const kind of [
    'missions',
    'objectives',
    'requests',
    'sessions',
    'questions',
    'deliveries',
    'artifacts',
    'batches',
  ] as const) {
    const now = new Set(after[kind].map(({ id }) => id))
    const lost = before[kind].find(({ id }) => !now.has(id))
    hold(!lost, 'I-29', `of the ${kind} one has gone: ${lost?.id}`)
  }
}
