import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { newId } from '../common/ids.ts'
import { recordRequestChange } from '../lifecycle/move-request.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Given =
  | 'workspace_id'
  | 'project_id'
  | 'mission_id'
  | 'objective_id'
  | 'seq'
  | 'source'
  | 'agent'
  | 'config'
  | 'requested_by'
type NewRequest = Pick<ExecutionRequestRow, Given> & Partial<ExecutionRequestRow>

/** A request as it begins. */
export function newRequest(now: Date, given: NewRequest): ExecutionRequestRow {
  return {
    id: newId(),
    kind: 'run',
    status: 'queued',
    outcome: null,
    resource_key: null,
    attempt: 1,
    generation: 0,
    claim_id: null,
    runner_id: null,
    lease_expires_at: null,
    lease_renewed_at: null,
    run_after: now,
    attach_by: null,
    cancel_requested_at: null,
    cancel_reason: null,
    no_runner_notified_at: null,
    failure: null,
    last_release: null,
    prepared: null,
    process: null,
    checks: null,
    exit: null,
    started_at: null,
    used: null,
    gone_on: false,
    advanced_by_delivery_id: null,
    created_at: now,
    updated_at: now,
    ended_at: null,
    from_base: false,
    waits: {},
    resume_of: null,
    only_device: null,
    only_runner: null,
    run_queue_entry_id: null,
    run_queue_attempt: null,
    ...given,
  }
}

/** One that is written with the commit, and counts for its mission's budget. The caller holds the locks of both. */
export function insertRequest(tx: UnitOfWork, given: NewRequest): ExecutionRequestRow {
  const request = newRequest(tx.locks.now, given)
  tx.pending.insert('execution_requests', request)
  tx.pending.add(
    'missions',
    { workspace_id: request.workspace_id, id: request.mission_id },
    { launches: 1 },
  )
  recordRequestChange(tx, request, 'queue')
  return request
}

/** The next in the one count of requests and sessions. Drawn under the objective's lock, so of one objective they go up. */
export function selectNextSeq() {
  return sql<{ seq: number }>`select nextval('work_order') as seq`
}

/** What `selectNextSeq` has drawn. */
export function seqOf([next]: readonly { seq: number }[]): number {
  if (!next) throw new Error('a sequence always has a next value')
  return next.seq
}
