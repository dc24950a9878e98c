import { describeHold } from '@svc/contracts/agent-limit'
import type { AdvisedStep } from '@svc/contracts/advised-step'
import { missionOfDisplayId } from '@svc/contracts/ids'
import type { NextStep } from '@svc/contracts/next-step'
import {
  type EntryReason,
  type RunQueueEntry,
  type WholeQueue,
  isInFlight,
} from '@svc/contracts/run-queue'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Permits } from './permits.ts'
import { projectOf } from './runs.ts'

/** What a person may do about a queue. */
interface QueueStep extends Pick<AdvisedStep, 'next' | 'after'> {
  readonly about: string
  readonly how: string
}

interface Known {
  readonly missionIsOpen?: boolean
  /** A launch in it would be refused. */
  readonly missionIsBusy?: boolean
}
type HeldEntry = Pick<RunQueueEntry, 'id' | 'displayId' | 'state' | 'reason'>
type Remedy = (entry: HeldEntry) => Omit<QueueStep, 'about'>

const retrying = ({ id, displayId: objective }: HeldEntry): NextStep => ({
  operation: 'retryRunQueueEntry',
  params: { id, objective },
})
const retry: Remedy = (entry) => ({ how: 'Try it again', next: retrying(entry) })

const otherResource: Remedy = ({ displayId: id }) => ({
  how: 'Name a resource that is written to',
  next: { operation: 'listProjectResources', params: { id: projectOf(id) } },
  after: { operation: 'updateObjective', params: { id, resource_key: '<key>' } },
})

const raising: Remedy = (entry) => ({
  how: 'Set the budget of its mission, then try it again',
  next: {
    operation: 'updateMission',
    params: { id: missionOfDisplayId(entry.displayId), budget: { runs: '<runs>' } },
  },
  after: retrying(entry),
})

/** A retry ends every other reason; with these the entry would be held again at once. */
const remedies: { readonly [R in EntryReason]?: Remedy } = {
  no_instruction: ({ displayId: id }) => ({
    how: 'Say what is to be done',
    next: { operation: 'updateObjective', params: { id } },
  }),
  no_agent: ({ displayId: id }) => ({
    how: 'Name its agent',
    next: { operation: 'listRunners', params: {} },
    after: { operation: 'updateObjective', params: { id, assigned_agent: '<key>' } },
  }),
  no_resource: otherResource,
  resource_read_only: otherResource,
  budget_exhausted: raising,
  budget_unknown_cost: raising,
  mission_closed: (entry) => ({
    how: 'Open its mission, then try it again',
    next: {
      operation: 'moveMission',
      params: { id: missionOfDisplayId(entry.displayId), statusId: 'execute' },
    },
    after: retrying(entry),
  }),
}

/** Where a person paused the queue, nothing is retried before it goes on. */
export function stepsOfQueue(queue: WholeQueue, project: string, known: Known = {}): QueueStep[] {
  const held = [
    ...queue.entries.flatMap(stepsOfWaiting),
    ...queue.entries.filter(isHeld).map((entry) => stepOfHeld(entry, known)),
  ]
  const next = goingOn(queue, project, known)
  return queue.pausedBy ? [...next, ...held] : [...held, ...next]
}

/** One of each kind; another entry's comes when this one's is done. */
export function adviseOnQueue(
  queue: WholeQueue,
  project: string,
  permits: Permits,
): RouteOutput<'listRunQueues'>['queues'][number] {
  const steps = new Map<string, AdvisedStep>()
  for (const { about: _shown, how: why, ...step } of stepsOfQueue(queue, project)) {
    if (!steps.has(why)) steps.set(why, { why, ...step })
  }
  const own = [...steps.values()].filter(
    ({ next, after }) => permits(next) && (!after || permits(after)),
  )
  return { ...queue, nextSteps: own }
}

/** One that lacks an agent is held as soon as its turn comes. */
function isHeld({ state, reason }: RunQueueEntry): boolean {
  return state === 'held' || (state === 'waiting' && reason === 'no_agent')
}

/** Its run goes on by itself, and keeps its place until then. */
function stepsOfWaiting({ displayId, hold }: RunQueueEntry): QueueStep[] {
  if (!hold) return []
  const next: NextStep = { operation: 'retryAgent', params: { agent: hold.agent } }
  return [{ about: `${displayId} waits for ${describeHold(hold)}`, how: 'Try it sooner', next }]
}

/** Why an entry is not launched, as part of a sentence. */
const whyHeld: Readonly<Record<EntryReason, string>> = {
  turn: 'it is not its turn',
  mission_busy: 'another objective of its mission is at work',
  resource_not_connected: 'no runner that is here has its checkout',
  no_instruction: 'nothing is said of what is to be done',
  no_agent: 'it names no agent',
  no_resource: 'it names no resource',
  resource_read_only: 'agents may only read its resource',
  mission_closed: 'its mission is closed',
  budget_exhausted: 'the budget of its mission is used up',
  budget_unknown_cost: 'its mission has a budget, and what it has used is not known',
  forbidden: 'whoever queued it may not launch it',
  run_failed: 'its run did not start',
  run_lost: 'its run was lost',
  run_exited: 'its run ended without a delivery',
  question_expired: 'nobody answered its question in time',
  check_failed: 'a check of its delivery failed',
  check_not_run: 'a check of its delivery was not run',
}

/** An entry stays held when its mission is opened again, until it is retried. */
export function stepOfHeld(entry: HeldEntry, { missionIsOpen }: Known): QueueStep {
  const { displayId, state, reason } = entry
  const why = reason === null ? 'for no reason' : whyHeld[reason]
  const isOpened = missionIsOpen === true && reason === 'mission_closed'
  const remedy = (reason && !isOpened && remedies[reason]) || retry
  const stands = state === 'held' ? 'is held' : 'waits'
  return { about: `${displayId} ${stands} in its queue: ${why}`, ...remedy(entry) }
}

/** A person's word that its turn is now: it is launched as soon as it can be, and a start would do no more. */
function isGranted({ state, turnGrantedBy }: RunQueueEntry): boolean {
  return state === 'waiting' && turnGrantedBy !== null
}

type Queue = Pick<WholeQueue, 'id' | 'name' | 'isDefault'>

export function resumeQueue(queue: Queue, project: string): NextStep {
  return { operation: 'resumeRunQueue', params: nameOf(queue, project) }
}

function nameOf({ id, name, isDefault }: Queue, project: string) {
  return { id, project, ...(!isDefault && { queue: name }) }
}

/** The end of a pause makes the pending advance and nothing else; a start launches, and ends a pause too. */
function goingOn(queue: WholeQueue, project: string, { missionIsBusy }: Known): QueueStep[] {
  const { name, state, entries } = queue
  const first = entries.find((entry) => entry.state === 'waiting')
  const isStartable = first && first.reason !== 'no_agent' && missionIsBusy !== true
  const start: NextStep = { operation: 'startRunQueue', params: nameOf(queue, project) }
  if (state === 'idle') {
    if (!isStartable || entries.some(isGranted)) return []
    const about = `${first.displayId} waits for its turn in the queue ${name}`
    return [{ about, how: 'Nothing runs; launch its first', next: start }]
  }
  if (state !== 'paused') return []
  const about = `the queue ${name} is paused`
  const isAdvancing = queue.advanceOwedSince !== null || entries.some(isInFlight)
  return isStartable && first.reason === 'turn' && !isAdvancing
    ? [{ about, how: 'Launch its first, which ends the pause', next: start }]
    : [{ about, how: 'Let it go on', next: resumeQueue(queue, project) }]
}
