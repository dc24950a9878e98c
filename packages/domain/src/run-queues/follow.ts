import { appPages } from '@svc/contracts/links'
import {
  type EntryReason,
  type PauseReason,
  entryReasons,
  isInFlight,
} from '@svc/contracts/run-queue'
import type { MissionRow, ObjectiveRow, RunQueueRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { byService, recordEvent } from '../commit/records.ts'
import { publish } from '../commit/outbox.ts'
import { snapshotMission, snapshotObjective } from '../entities/missions/snapshot.ts'
import { notifyOwner } from '../notifications/notify-owner.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import {
  type Entry,
  type Queue,
  addresseeOf,
  dispatch,
  requestAdvance,
  pauseFor,
  putOff,
  remove,
  run,
  wait,
} from '../entities/run-queues/queue.ts'
import { findEntryOf, lockQueue, lockQueueOf, lockQueues, saveQueue } from './queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** The queue that the delivery of the objective will advance; written with the objective's own move. */
type AdvancedQueue = Pick<ObjectiveRow, 'advances_queue_id'>

interface LaunchFacts {
  /** As it was before the launch. */
  objective: ObjectiveRow
  entry: Entry | undefined
  requestId: string
  /** The queue launches it, and not a person. */
  fromQueue: boolean
}

/** A launch from the queue dispatches the entry; a direct one takes it out, unless it replaces a dispatch. */
export async function followLaunch(tx: UnitOfWork, facts: LaunchFacts) {
  const { objective, requestId } = facts
  const again = objective.state === 'launching'
  const found = await lockQueueOf(tx, facts.entry)
  if (!found)
    return { advances: { advances_queue_id: again ? objective.advances_queue_id : null }, link: {} }
  const { queue, entry } = found
  const advances: AdvancedQueue = { advances_queue_id: queue.row.id }
  if (!facts.fromQueue && !again) {
    await saveQueue(tx, queue, remove(queue, entry.id), 'launch')
    return { advances, link: {}, left: queue.row }
  }
  await saveQueue(tx, queue, dispatch(queue, entry.id, requestId), 'dispatch')
  const link = { run_queue_entry_id: entry.id, run_queue_attempt: entry.attempt + 1 }
  return { advances, link }
}

/** An agent works on it: what was dispatched runs, which makes the pending advance of the queue; any other entry has gone. */
export async function followAttach(
  tx: UnitOfWork,
  objective: ObjectiveRow,
  found: Entry | undefined,
): Promise<{ advances: AdvancedQueue; left?: RunQueueRow }> {
  const locked = await lockQueueOf(tx, found)
  if (!locked) {
    const came = objective.state === 'launching' || objective.last_outcome === 'lost'
    return { advances: { advances_queue_id: came ? objective.advances_queue_id : null } }
  }
  const { queue, entry } = locked
  const wasInFlight = isInFlight(entry)
  const after = wasInFlight ? run(queue, entry.id) : remove(queue, entry.id)
  await saveQueue(tx, queue, after, 'attach')
  return {
    advances: { advances_queue_id: queue.row.id },
    ...(!wasInFlight && { left: queue.row }),
  }
}

/** To whoever took it out of the queue, which did not launch it. */
export function leftQueueMessage({ name, paused_at: pausedAt }: RunQueueRow): string {
  const becomes =
    pausedAt === null ? 'goes on with its next entry once this run delivers' : 'is paused'
  return `It has left the queue ${name}, which ${becomes}.`
}

const heldAs = {
  failed: 'run_failed',
  lost: 'run_lost',
  exited: 'run_exited',
  question_expired: 'question_expired',
} as const

/** The run of an entry ended without a delivery: the queue is paused, and only a person goes on with that entry. */
export async function followRunEnd(
  tx: UnitOfWork,
  { mission, objective }: ObjectiveInMission,
  became: keyof typeof heldAs | 'cancelled',
): Promise<void> {
  const found = await lockQueueOf(tx, await findEntryOf(tx, objective))
  if (!found || !isInFlight(found.entry)) return
  const { queue, entry } = found
  const reason: PauseReason = became === 'cancelled' ? 'run_cancelled' : heldAs[became]
  const after =
    became === 'cancelled' ? remove(queue, entry.id) : putOff(queue, entry.id, heldAs[became])
  const paused = pauseFor(after, reason, addresseeOf(entry))
  const saved = await saveQueue(tx, queue, paused, became)
  if (queue.row.paused_at === null)
    await announcePause(tx, { mission, objective }, { saved, entry, reason })
}

interface Paused {
  saved: Queue
  /** The one whose run ended. */
  entry: Entry
  reason: PauseReason
}

async function announcePause(
  tx: UnitOfWork,
  { mission, objective }: ObjectiveInMission,
  { saved: { row }, entry, reason }: Paused,
): Promise<void> {
  const { workspace_id: workspaceId, project_id: projectId, id: missionId } = mission
  const why = reason.replaceAll('_', ' ')
  const summary = `The queue ${row.name} is paused at ${displayIdOf(mission, objective)}: ${why}`
  recordEvent(
    tx,
    byService,
    { objective },
    { type: 'queue_paused', summary, data: { queueId: row.id, reason } },
  )
  publish(tx, {
    workspaceId,
    projectId,
    missionId,
    type: 'svc:queue_paused',
    snapshot: {
      mission: snapshotMission(mission),
      objective: snapshotObjective(objective),
      queue: { id: row.id, name: row.name, reason },
    },
  })
  const owner = { requested_by: addresseeOf(entry) }
  await notifyOwner(
    tx,
    { mission, request: owner },
    {
      kind: 'queue_paused',
      key: `queue_paused:${row.id}:${row.revision}`,
      title: summary,
      page: appPages.queues(mission.project_slug),
      subject_id: row.id,
      next: { operation: 'listRunQueues', params: { id: mission.project_slug } },
    },
  )
}

/** The checks before the delivery did not pass. */
export type UnpassedReason = Extract<EntryReason, 'check_failed' | 'check_not_run'>

interface Delivered {
  own: Entry | undefined
  /** That of what is next in the mission. */
  next: Entry | undefined
  unpassed?: UnpassedReason | undefined
}

/**
 * After a delivery: its entry has gone, and an advance is pending for the queue that its run came from, else for the one
 * that holds what is next in the mission. One whose checks did not pass launches nothing: what would be next is held.
 */
export async function followDelivery(
  tx: UnitOfWork,
  delivered: ObjectiveRow,
  { own, next, unpassed }: Delivered,
): Promise<void> {
  if (unpassed) return holdBack(tx, delivered, { own, next, unpassed })
  const found = await lockAdvanced(tx, delivered, own ?? next)
  if (!found) return
  const { queue } = found
  await saveQueue(tx, queue, requestAdvance(own ? remove(queue, own.id) : queue), 'deliver')
}

/**
 * What is next in the mission is held, wherever it is queued. Where the queue that would go on has none of it, its first
 * one that waits is held: it is seen why nothing is launched, and one retry goes on.
 */
async function holdBack(
  tx: UnitOfWork,
  delivered: ObjectiveRow,
  { own, next, unpassed }: Delivered & { unpassed: UnpassedReason },
): Promise<void> {
  const advanced = own?.run_queue_id ?? delivered.advances_queue_id
  const ids = [advanced, next?.run_queue_id].filter((id) => id != null)
  for (const before of (await lockQueues(tx, delivered.workspace_id, ids)).values()) {
    const queue = own ? remove(before, own.id) : before
    const first = before.row.id === advanced ? queue.entries.find(isWaiting) : undefined
    const held = queue.entries.find(({ id }) => id === next?.id) ?? first
    const after = held && !needsRetry(held) ? putOff(queue, held.id, unpassed) : queue
    await saveQueue(tx, before, after, 'deliver')
  }
}

function isWaiting({ state }: Entry): boolean {
  return state === 'waiting'
}

/** Only a person's word goes on with it already. */
function needsRetry({ reason }: Entry): boolean {
  return reason !== null && entryReasons[reason].ends === 'retry'
}

async function lockAdvanced(tx: Tx, delivered: ObjectiveRow, entry: Entry | undefined) {
  const isOwn = entry?.objective_id === delivered.id
  if (!isOwn && delivered.advances_queue_id !== null) {
    const queue = await lockQueue(tx, delivered.workspace_id, delivered.advances_queue_id)
    if (queue) return { queue }
  }
  return lockQueueOf(tx, entry)
}

/** What was edited may be what held the entry. */
export async function followEdit(tx: UnitOfWork, objective: ObjectiveRow): Promise<void> {
  const entry = await findEntryOf(tx, objective)
  if (!entry || !isResolved(entry, objective)) return
  const found = await lockQueueOf(tx, entry)
  if (found) await saveQueue(tx, found.queue, wait(found.queue, entry.id), 'edit')
}

function isResolved({ reason }: Entry, objective: ObjectiveRow): boolean {
  if (reason === 'no_instruction') return !objective.blank
  if (reason === 'no_agent') return objective.assigned_agent !== null
  return reason === 'no_resource' || reason === 'resource_read_only'
}

/**
 * The queues that hold entries of these missions, in the order of their ids. Who takes entries out of several queues
 * takes this first: else two that do so would wait in a circle.
 */
export async function lockQueuesOf(
  tx: Tx,
  missions: readonly Pick<MissionRow, 'workspace_id' | 'id'>[],
): Promise<void> {
  await sql`
    select id from run_queues
     where workspace_id = ${missions[0]?.workspace_id} and id in (
       select run_queue_id from run_queue_entries
        where workspace_id = ${missions[0]?.workspace_id}
          and mission_id = any(${missions.map(({ id }) => id)}::uuid[]))
     order by id for no key update`.execute(tx)
}

/**
 * Takes an objective that was sent back or deleted out of its queue. One in flight pauses the queue as a cancelled run does.
 */
export async function leaveQueue(tx: UnitOfWork, of: ObjectiveInMission): Promise<void> {
  const found = await lockQueueOf(tx, await findEntryOf(tx, of.objective))
  if (!found) return
  if (isInFlight(found.entry)) return followRunEnd(tx, of, 'cancelled')
  await saveQueue(tx, found.queue, remove(found.queue, found.entry.id), 'remove')
}
