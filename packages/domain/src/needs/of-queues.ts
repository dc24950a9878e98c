import { type StatusType, isClosed } from '@svc/contracts/states'
import type { RunQueueEntryRow, RunQueueRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { lookUp } from '../common/look-up.ts'
import { resumeQueue, stepOfHeld } from '../next-steps/queues.ts'
import {
  type OfObjective,
  areNamed,
  columnsOfObjective,
  missionsOfObjectives,
  nameOfObjective,
  shown,
  viewAny,
  viewObjectiveOf,
} from './shown.ts'

interface HeldNeed extends OfObjective, Pick<RunQueueEntryRow, 'state' | 'reason'> {
  queue_id: string
  queue_name: string
  is_default: boolean
  paused_by: string | null
  status_type: StatusType
}

export const heldEntries = shown<HeldNeed>({
  select: (workspaceId, ids) => sql<HeldNeed>`
    select e.id, coalesce(e.held_since, e.created_at) as since,
           coalesce(e.turn_granted_by, e.queued_by) as addressed_to, ${columnsOfObjective}, e.state, e.reason,
           q.id as queue_id, q.name as queue_name, q.is_default, q.paused_by, s.type as status_type
      from run_queue_entries e
     cross join ${lookUp('run_queues', 'q', { of: 'e', id: 'run_queue_id' })}
     cross join ${lookUp('objectives', 'o', { of: 'e', id: 'objective_id' })}
      ${missionsOfObjectives}
     cross join ${lookUp('project_statuses', 's', { of: 'm', id: 'status_id' })}
     where e.workspace_id = ${workspaceId} and ${areNamed('e.id', ids)} and e.state = 'held'`,
  view(actor, row) {
    const { id, state, reason } = row
    const entry = { id, state, reason, displayId: nameOfObjective(row) }
    const { next, after } = stepOfHeld(entry, { missionIsOpen: !isClosed(row.status_type) })
    // what the objective lacks is what ends it, whatever is looked up for it before
    const remedy = after?.operation === 'updateObjective' ? after : next
    const queue = { id: row.queue_id, name: row.queue_name, isDefault: row.is_default }
    // a retry is refused as long as a person holds the whole queue
    const isOver = row.paused_by === null || remedy.operation !== 'retryRunQueueEntry'
    const step = isOver ? remedy : resumeQueue(queue, row.project_slug)
    return {
      ...viewAny(actor, 'held_entry', row, step),
      ...viewObjectiveOf(row),
      queue: { id: row.queue_id, name: row.queue_name },
      reason,
    }
  },
})

interface PausedNeed extends Pick<RunQueueRow, 'id' | 'name' | 'is_default' | 'pause_reason'> {
  since: string
  addressed_to: string | null
  project_id: string
  slug: string
  waiting: number
}

export const pausedQueues = shown<PausedNeed>({
  select: (workspaceId, ids) => sql<PausedNeed>`
    select q.id, q.paused_at as since, q.addressed_to, q.name, q.is_default, q.pause_reason, q.project_id, p.slug,
           (select count(*)::int from run_queue_entries e
             where e.workspace_id = q.workspace_id and e.run_queue_id = q.id and e.state = 'waiting') as waiting
      from run_queues q
     cross join ${lookUp('projects', 'p', { of: 'q', id: 'project_id' })}
     where q.workspace_id = ${workspaceId} and ${areNamed('q.id', ids)} and q.paused_at is not null`,
  view(actor, row) {
    const { id, name, is_default: isDefault, slug: project } = row
    return {
      ...viewAny(actor, 'paused_queue', row, resumeQueue({ id, name, isDefault }, project)),
      project: { id: row.project_id, slug: project },
      queue: { id, name },
      reason: row.pause_reason,
      waiting: row.waiting,
    }
  },
})
