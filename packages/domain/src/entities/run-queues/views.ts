import {
  type RunQueue,
  type RunQueueEntry,
  type WholeQueue,
  isInFlight,
} from '@svc/contracts/run-queue'
import type { Queryable } from '@svc/db/database'
import type { RunQueueEntryRow, RunQueueRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { whereVisibleTo } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { lookUp } from '../../common/look-up.ts'
import { where } from '../../states/states.ts'
import { notFound } from '../../common/errors.ts'

interface ShownEntry extends RunQueueEntryRow {
  display_id: string
  title: string
  is_visible: boolean
  lacks_agent: boolean
  hold: RunQueueEntry['hold']
}

export type { WholeQueue }

/** Until when its run waits for a provider, where it does. An index has the live request of an objective. */
const holdOfRun = sql`(
  select jsonb_build_object('agent', r.agent, 'reason', r.last_release ->> 'reason',
                            'until', r.last_release ->> 'until')
    from execution_requests r
   where r.workspace_id = e.workspace_id and r.objective_id = e.objective_id and r.status = 'queued'
     and ${where.inFlight('e')} and (r.last_release ->> 'until')::timestamptz > app.now())`

/** It names no agent, and nothing of its mission has run or comes before it that it could inherit one from. */
const lacksAgent = sql`(
  o.assigned_agent is null
  and not exists (
    select from execution_requests r
     where r.workspace_id = e.workspace_id and r.mission_id = e.mission_id
       and (r.outcome = 'delivered' or r.ended_at is null))
  and not exists (
    select from run_queue_entries b
     where b.workspace_id = e.workspace_id and b.run_queue_id = e.run_queue_id
       and b.mission_id = e.mission_id and b.position < e.position))`

/** Each with its entries, save those that the caller's token may not see. */
export async function viewQueues(
  db: Queryable,
  actor: Actor,
  rows: readonly RunQueueRow[],
): Promise<WholeQueue[]> {
  const ids = rows.map((row) => row.id)
  const visible = whereVisibleTo(actor, {
    projectId: sql`m.project_id`,
    missionId: sql`e.mission_id`,
    objectiveId: sql`e.objective_id`,
  })
  const found = await sql<ShownEntry>`
    select e.*, p.slug || ':' || m.sequence || '.' || o.key as display_id, o.title,
           ${visible} as is_visible, ${lacksAgent} as lacks_agent, ${holdOfRun} as hold
      from run_queue_entries e
     cross join ${lookUp('objectives', 'o', { of: 'e', id: 'objective_id' })}
     cross join ${lookUp('missions', 'm', { of: 'e', id: 'mission_id' })}
     cross join ${lookUp('projects', 'p', { of: 'm', id: 'project_id' })}
     where e.workspace_id = ${actor.workspaceId} and e.run_queue_id = any(${ids}::uuid[])
     order by e.run_queue_id, e.position`.execute(db)
  const byQueue = Map.groupBy(found.rows, (entry) => entry.run_queue_id)
  return rows.map((row) => {
    const entries = byQueue.get(row.id) ?? []
    const visibleEntries = entries.filter((entry) => entry.is_visible).map(viewEntry)
    return { ...viewQueue(row, entries.some(isInFlight)), entries: visibleEntries }
  })
}

export async function viewWhole(
  db: Queryable,
  actor: Actor,
  row: RunQueueRow,
): Promise<WholeQueue> {
  const [queue] = await viewQueues(db, actor, [row])
  if (!queue) throw notFound('run queue', row.id)
  return queue
}

/** Without its entries. */
export async function viewAlone(db: Queryable, actor: Actor, row: RunQueueRow): Promise<RunQueue> {
  const { entries: _left, ...queue } = await viewWhole(db, actor, row)
  return queue
}

function viewQueue(row: RunQueueRow, isRunning: boolean): RunQueue {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    position: row.position,
    isDefault: row.is_default,
    state: stateOf(row, isRunning),
    pausedAt: row.paused_at?.toISOString() ?? null,
    pausedBy: row.paused_by,
    pauseReason: row.pause_reason,
    advanceOwedSince: row.advance_pending_since?.toISOString() ?? null,
    revision: row.revision,
  }
}

function stateOf(row: RunQueueRow, isRunning: boolean): RunQueue['state'] {
  if (row.paused_at !== null) return 'paused'
  if (isRunning) return 'running'
  return row.advance_pending_since === null ? 'idle' : 'owing'
}

function viewEntry(entry: ShownEntry): RunQueueEntry {
  return {
    id: entry.id,
    objectiveId: entry.objective_id,
    displayId: entry.display_id,
    title: entry.title,
    position: entry.position,
    state: entry.state,
    // a start would be refused with it, and the next plan holds the entry for it
    reason: entry.reason === 'turn' && entry.lacks_agent ? 'no_agent' : entry.reason,
    waitingOn: entry.waiting_on,
    attempt: entry.attempt,
    turnGrantedBy: entry.turn_granted_by,
    queuedBy: entry.queued_by,
    executionRequestId: entry.execution_request_id,
    hold: entry.hold,
  }
}
