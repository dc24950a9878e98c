import type { AgentSessionRow, ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { recordChange } from '../commit/records.ts'
import { type SessionTrigger, sessionLifecycle } from '../states/table.ts'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Settable = Partial<Omit<AgentSessionRow, 'status' | 'end_reason' | 'phase'>>

/**
 * A session that the row does not start from is answered as it is: what has ended stays ended, and whoever comes late
 * is told by the guard of its own call. The caller holds the mission's lock. Written with the commit.
 */
export function moveSession(
  tx: UnitOfWork,
  trigger: SessionTrigger,
  session: AgentSessionRow,
  set: Settable = {},
): AgentSessionRow {
  const row = sessionLifecycle[trigger]
  const from: readonly AgentSessionRow['status'][] = row.from
  const moved = !from.includes(session.status)
    ? session
    : tx.pending.move('agent_sessions', session, {
        ...set,
        status: row.to,
        ...('endReason' in row && { end_reason: row.endReason, ended_at: tx.locks.now }),
        ...('phase' in row && { phase: row.phase }),
      })
  recordChange(tx, { agent_session: session }, row.operation, { objectiveId: session.objective_id })
  return moved
}

const { hear, fallSilent } = sessionLifecycle

/**
 * Any call of a session is a sign of life: nothing is recorded. The caller holds its lock, and it has not ended. Written
 * with the commit.
 */
export function touchSession(tx: UnitOfWork, session: AgentSessionRow): AgentSessionRow {
  tx.locks.require('session')
  return tx.pending.move('agent_sessions', session, {
    last_heard_at: tx.locks.now,
    ...(session.status === hear.from[0] && { status: hear.to }),
  })
}

/** The renewal of a lease speaks for its agent: nothing is recorded, as with every sign of life. */
export function hearSessionOf(request: ExecutionRequestRow): RawBuilder<unknown> {
  return sql`
    update agent_sessions set status = ${hear.to}
     where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
       and generation = ${request.generation} and status = ${hear.from[0]}`
}

/** Sessions of which nothing was heard for so many seconds, at most `limit` at a time; others have locked the rest. */
export async function markSilent(tx: Tx, seconds: number, limit: number): Promise<void> {
  await sql`
    update agent_sessions s set status = ${fallSilent.to}
     where s.ctid = any(array(
       select a.ctid from agent_sessions a
         left join execution_requests r
           on r.workspace_id = a.workspace_id and r.id = a.execution_request_id
              and r.generation = a.generation
        where a.status = ${sql.lit(fallSilent.from[0])}
          and greatest(a.last_heard_at, r.lease_renewed_at)
              + make_interval(secs => ${seconds}) < app.now()
        -- in the order of the index of those that are listened to, so that the others are not read
        order by a.workspace_id, a.id limit ${limit} for no key update of a skip locked))`.execute(
    tx,
  )
}
