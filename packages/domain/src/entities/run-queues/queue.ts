import {
  type EntryReason,
  type PauseReason,
  entryReasons,
  isInFlight,
} from '@svc/contracts/run-queue'
import type { RunQueueEntryRow, RunQueueRow } from '@svc/db/tables'

/** A queue with its entries in their order, as they were read. All changes of it are pure; `saveQueue` writes them. */
export interface Queue {
  readonly row: RunQueueRow
  readonly entries: readonly Entry[]
  /** The slug of its project. */
  readonly project: string
  /** The database's time. */
  readonly now: Date
}
export type Entry = RunQueueEntryRow

type EntryChange = Partial<
  Pick<
    Entry,
    'state' | 'reason' | 'waiting_on' | 'attempt' | 'turn_granted_by' | 'execution_request_id'
  >
>

/** Where an entry goes, counted without itself. */
export type QueuePosition = { after: string } | { front: true } | { position: number } | 'last'

export function inFlight({ entries }: Queue): Entry | undefined {
  return entries.find(isInFlight)
}

/** A planner may find something to launch. */
export function isDue(queue: Queue): boolean {
  if (queue.row.paused_at !== null || inFlight(queue)) return false
  return queue.row.advance_pending_since !== null || queue.entries.some(hasTurn)
}

export function hasTurn({ state, turn_granted_by }: Entry): boolean {
  return state === 'waiting' && turn_granted_by !== null
}

export function place(queue: Queue, entry: Entry, where: QueuePosition): Queue {
  const others = queue.entries.filter((one) => one.id !== entry.id)
  return { ...queue, entries: others.toSpliced(indexOf(others, where), 0, entry) }
}

function indexOf(others: readonly Entry[], where: QueuePosition): number {
  if (where === 'last') return others.length
  if ('front' in where) return 0
  if ('position' in where) return where.position - 1
  return others.findIndex((one) => one.id === where.after) + 1
}

export function remove(queue: Queue, id: string): Queue {
  return { ...queue, entries: queue.entries.filter((one) => one.id !== id) }
}

export function change(queue: Queue, id: string, set: EntryChange): Queue {
  const entries = queue.entries.map((one) => (one.id === id ? { ...one, ...set } : one))
  return { ...queue, entries }
}

export function wait(queue: Queue, id: string): Queue {
  return change(queue, id, { state: 'waiting', reason: 'turn', waiting_on: null })
}

/** It waits or is held as the reason says. A granted turn is spent where only another word ends the reason. */
export function putOff(
  queue: Queue,
  id: string,
  reason: EntryReason,
  on: Entry['waiting_on'] = null,
): Queue {
  const { state, ends } = entryReasons[reason]
  const set = { state, reason, waiting_on: on }
  return change(queue, id, ends === 'retry' ? { ...set, turn_granted_by: null } : set)
}

/** The word of a person that its turn is next. It ends a pause that a run's end brought, and no person's. */
export function grantTurn(queue: Queue, id: string, userId: string): Queue {
  const granted = change(wait(queue, id), id, { turn_granted_by: userId })
  return granted.row.pause_reason === null ? granted : unpause(granted)
}

export function dispatch(queue: Queue, id: string, requestId: string): Queue {
  const attempt = (queue.entries.find((one) => one.id === id)?.attempt ?? 0) + 1
  return change(queue, id, {
    state: 'dispatched',
    reason: null,
    waiting_on: null,
    attempt,
    execution_request_id: requestId,
  })
}

/** The agent has come: the advance that was pending is made. */
export function run(queue: Queue, id: string): Queue {
  const running = change(queue, id, { state: 'running' })
  return { ...running, row: { ...running.row, advance_pending_since: null } }
}

/** A delivery asks for the launch of the next entry: one, however many deliveries ask. */
export function requestAdvance(queue: Queue): Queue {
  const { row, now } = queue
  return { ...queue, row: { ...row, advance_pending_since: row.advance_pending_since ?? now } }
}

export function pauseBy(queue: Queue, userId: string): Queue {
  const { row, now } = queue
  const paused_at = row.paused_at ?? now
  const by = { paused_by: userId, addressed_to: userId, pause_reason: null }
  return { ...queue, row: { ...row, paused_at, ...by } }
}

/** A pause that is there already stays what it is. */
export function pauseFor(queue: Queue, reason: PauseReason, addressedTo: string): Queue {
  const { row, now } = queue
  if (row.paused_at !== null) return queue
  const why = { pause_reason: reason, addressed_to: addressedTo }
  return { ...queue, row: { ...row, paused_at: now, ...why } }
}

/** Whose word has the entry launched. */
export function addresseeOf({ turn_granted_by, queued_by }: Entry): string {
  return turn_granted_by ?? queued_by
}

export function unpause(queue: Queue): Queue {
  const none = { paused_at: null, paused_by: null, pause_reason: null, addressed_to: null }
  const row = { ...queue.row, ...none }
  return { ...queue, row }
}

/** How an order that names other entries than the live ones differs from them. */
export interface OrderMismatch {
  missing: string[]
  unknown: string[]
}

/** Every live entry once, or how the order differs from that. */
export function reorder(queue: Queue, ids: readonly string[]): Queue | OrderMismatch {
  const byId = new Map(queue.entries.map((one) => [one.id, one]))
  const named = new Set(ids)
  const missing = [...byId.keys()].filter((id) => !named.has(id))
  const unknown = [...named].filter((id) => !byId.has(id))
  const entries = ids.flatMap((id) => byId.get(id) ?? [])
  if (missing.length > 0 || unknown.length > 0 || named.size < ids.length)
    return { missing, unknown }
  return { ...queue, entries }
}

/** Every queue that is written has positions without gaps, since when each entry is held, and no pending advance where no entry waits for it. */
export function settle(queue: Queue): Queue {
  const entries = queue.entries.map((one, index) => ({
    ...one,
    position: index + 1,
    held_since: one.state === 'held' ? (one.held_since ?? queue.now) : null,
  }))
  const isWaitedFor = entries.some(({ state }) => state === 'waiting')
  const advance_pending_since = isWaitedFor ? queue.row.advance_pending_since : null
  return { ...queue, entries, row: { ...queue.row, advance_pending_since } }
}
