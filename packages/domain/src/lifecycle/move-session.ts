import type { SessionEndReason } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, Tables } from '@svc/db/tables'
import { type UpdateObject, sql } from 'kysely'
import { recordChange } from '../commit/records.ts'

export async function endSession(
  tx: Tx,
  session: AgentSessionRow,
  reason: SessionEndReason,
): Promise<AgentSessionRow> {
  return writeSession(tx, session, `ended_${reason}`, {
    status: 'ended',
    end_reason: reason,
    phase: reason === 'delivered' ? 'review' : session.phase,
    ended_at: sql<Date>`app.now()`,
  })
}

export function loseSession(tx: Tx, session: AgentSessionRow): Promise<AgentSessionRow> {
  return writeSession(tx, session, 'lost', { status: 'lost' })
}

export function reopenSession(tx: Tx, session: AgentSessionRow): Promise<AgentSessionRow> {
  return writeSession(tx, session, 'revived', {
    status: 'active',
    last_heard_at: sql<Date>`app.now()`,
  })
}

async function writeSession(
  tx: Tx,
  session: AgentSessionRow,
  operation: string,
  set: UpdateObject<Tables, 'agent_sessions'>,
): Promise<AgentSessionRow> {
  const written = await tx
    .updateTable('agent_sessions')
    .set(set)
    .where('workspace_id', '=', session.workspace_id)
    .where('id', '=', session.id)
    .where('status', '!=', 'ended')
    .returningAll()
    .executeTakeFirst()
  await recordChange(tx, {
    workspaceId: session.workspace_id,
    missionId: session.mission_id,
    entity: 'agent_session',
    entityId: session.id,
    operation,
    data: { objectiveId: session.objective_id },
  })
  return written ?? session
}
