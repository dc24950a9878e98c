import type { Entry, Queue } from '../entities/run-queues/queue.ts'

const now = new Date('2026-11-01T12:00:00Z')

/** A waiting entry whose id is its name. */
export function entryOf(id: string, set: Partial<Entry> = {}): Entry {
  return {
    workspace_id: 'w',
    id,
    run_queue_id: 'q',
    mission_id: `mission of ${id}`,
    objective_id: `objective ${id}`,
    position: 1,
    state: 'waiting',
    reason: 'turn',
    waiting_on: null,
    attempt: 0,
    turn_granted_by: null,
    queued_by: 'bob',
    execution_request_id: null,
    held_since: null,
    created_at: now,
    ...set,
  }
}

export function queueOf(...ids: string[]): Queue {
  const entries = ids.map((id, index) => entryOf(id, { position: index + 1 }))
  const row = {
    workspace_id: 'w',
    id: 'q',
    project_id: 'p',
    name: 'Default',
    position: 1,
    is_default: true,
    paused_at: null,
    paused_by: null,
    pause_reason: null,
    advance_pending_since: null,
    addressed_to: null,
    revision: 1,
    created_by: 'alice',
    created_at: now,
  }
  return { row, entries, project: 'web', now }
}

export function namesOf({ entries }: Queue): string {
  return entries.map(({ id }) => id).join(' ')
}
