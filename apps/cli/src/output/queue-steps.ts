import { missionOfDisplayId } from '@svc/contracts/ids'
import { type EntryReason, isInFlight } from '@svc/contracts/run-queue'
import type { Queue } from '../queue-ref.ts'
import { shellWord } from './shell-word.ts'
import { oneLine } from './terminal.ts'

/** What a person may do about a queue. */
export interface QueueStep {
  readonly about: string
  readonly how: string
  readonly command: string
  /** What the command leaves to choose, and what lists it. */
  readonly choice?: { readonly why: string; readonly command: string }
}

interface Known {
  readonly missionIsOpen?: boolean
  /** A launch in it would be refused. */
  readonly missionIsBusy?: boolean
}
type Entry = Queue['entries'][number]
type Remedy = (displayId: string) => Omit<QueueStep, 'about'>

const retry: Remedy = (id) => ({ how: 'Try it again', command: `svc queue retry ${id}` })

const otherResource: Remedy = (id) => ({
  how: 'Name a resource that is written to',
  command: `svc objectives edit ${id} --resource <key>`,
  choice: { why: 'see which there are', command: `svc resource list ${id.split(':')[0]}` },
})

/** A retry ends every other reason; with these the entry would be held again at once. */
const remedies: { readonly [R in EntryReason]?: Remedy } = {
  no_instruction: (id) => ({
    how: 'Say what is to be done (type it, then Ctrl-D)',
    command: `svc objectives edit ${id} --instruction-file -`,
  }),
  no_agent: (id) => ({
    how: 'Name its agent',
    command: `svc objectives edit ${id} --agent <key>`,
    choice: { why: 'see which there are', command: 'svc runner status' },
  }),
  no_resource: otherResource,
  resource_read_only: otherResource,
  mission_closed: (id) => ({
    how: 'Open its mission, then try it again',
    command: `svc missions move ${missionOfDisplayId(id)} execute && svc queue retry ${id}`,
  }),
}

/** `project` is what the person called it. Where a person paused the queue, nothing is retried before it goes on. */
export function stepsOfQueue(queue: Queue, project: string, known: Known = {}): QueueStep[] {
  const held = queue.entries.filter(isHeld).map((entry) => stepOfHeld(entry, known))
  const next = goingOn(queue, project, known)
  return queue.pausedBy ? [...next, ...held] : [...held, ...next]
}

/** One that lacks an agent is held as soon as its turn comes. */
function isHeld({ state, reason }: Entry): boolean {
  return state === 'held' || (state === 'waiting' && reason === 'no_agent')
}

/** An entry stays held when its mission is opened again, until it is retried. */
function stepOfHeld({ displayId, state, reason }: Entry, { missionIsOpen }: Known): QueueStep {
  const why = reason?.replaceAll('_', ' ') ?? 'for no reason'
  const isOpened = missionIsOpen === true && reason === 'mission_closed'
  const remedy = (reason && !isOpened && remedies[reason]) || retry
  const stands = state === 'held' ? 'is held' : 'waits'
  return { about: `${displayId} ${stands} in its queue: ${why}`, ...remedy(displayId) }
}

/** A person's word that its turn is now: nothing else has to be done for it. */
export function isGranted({ state, reason, turnGrantedBy }: Entry): boolean {
  return state === 'waiting' && reason === 'turn' && turnGrantedBy !== null
}

/** The end of a pause launches what is owed and nothing else; a start launches, and ends a pause too. */
export function goingOn(queue: Queue, project: string, { missionIsBusy }: Known = {}): QueueStep[] {
  const { state, entries } = queue
  const first = entries.find((entry) => entry.state === 'waiting')
  const isStartable = first && first.reason !== 'no_agent' && missionIsBusy !== true
  const start = `svc queue start ${nameIn(project, queue)}`
  if (state === 'idle') {
    if (!isStartable || entries.some(isGranted)) return []
    const about = `${first.displayId} waits for its turn in the queue ${queue.name}`
    return [{ about, how: 'Nothing runs; launch its first', command: start }]
  }
  if (state !== 'paused') return []
  const about = `the queue ${queue.name} is paused`
  const isOwed = queue.advanceOwedSince !== null || entries.some(isInFlight)
  return isStartable && first.reason === 'turn' && !isOwed
    ? [{ about, how: 'Launch its first, which ends the pause', command: start }]
    : [{ about, how: 'Let it go on', command: `svc queue resume ${nameIn(project, queue)}` }]
}

/** The arguments that name the queue. */
function nameIn(project: string, { name, isDefault }: Pick<Queue, 'name' | 'isDefault'>) {
  return isDefault ? project : `${project} ${shellWord(oneLine(name))}`
}
