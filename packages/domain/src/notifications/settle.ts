import { type RawBuilder, sql } from 'kysely'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Notices that are kept only for as long as their cause is there. */
type Cause =
  | 'awaiting_approval'
  | 'no_runner'
  | 'question'
  | 'queue_paused'
  | 'run_ended'
  | 'run_failed'
  | 'run_held'
  | 'run_lost'
  | 'token_ends'

/** Notices that an objective's run came to nothing, until it goes on. */
export const ofRuns: readonly Cause[] = ['run_failed', 'run_lost', 'run_ended']
/** Notices that a request waits, until it is taken or over. */
export const ofQueued: readonly Cause[] = ['no_runner', 'run_held']
export const ofObjectives: readonly Cause[] = [...ofRuns, 'awaiting_approval']

/**
 * The cause has gone: notices of it count as read. Called by whoever moves it, before the same call tells anything
 * anew of it: that is written later or at the same time, and stays unread.
 */
export function settleNotices(
  tx: UnitOfWork,
  causes: readonly Cause[],
  workspaceId: string,
  ids: readonly string[],
): void {
  settleWhere(
    tx,
    workspaceId,
    sql`subject_id = any(${ids}::uuid[]) and kind = any(${causes}::text[])`,
  )
}

/** Settles notifications whose subjects a condition selects. */
export function settleWhere(
  tx: UnitOfWork,
  workspaceId: string,
  condition: RawBuilder<unknown>,
): void {
  tx.pending.addStatement(
    'settled',
    sql`
      update notifications set read_at = app.now()
       where workspace_id = ${workspaceId} and read_at is null and ${condition}`,
  )
}
