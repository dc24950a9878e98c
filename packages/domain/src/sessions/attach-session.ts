import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { moveRequest } from '../lifecycle/move-request.ts'
import { lockRequest } from '../execution-requests/queries.ts'
import { endSession } from '../lifecycle/move-session.ts'
import { findLiveSession, lockSession } from './queries.ts'

interface Claimant {
  externalSessionId?: string | undefined
  takeOver?: boolean | undefined
}

/**
 * At most one session of an objective lives. The same run, or the same session of the agent's own, replaces its former
 * one; anybody else is refused unless they say that they take over.
 */
export async function replaceLiveSession(
  tx: Tx,
  objective: ObjectiveRow,
  request: ExecutionRequestRow | undefined,
  input: Claimant,
): Promise<void> {
  const found = await findLiveSession(tx, objective)
  if (!found) return endLostSession(tx, objective)
  const live = await lockSession(tx, found)
  const same =
    (request !== undefined && live.execution_request_id === request.id) ||
    (input.externalSessionId !== undefined && live.external_session_id === input.externalSessionId)
  if (!same && input.takeOver !== true) throw sessionActive(live)
  await endSession(tx, live, 'superseded')
  if (!same && live.execution_request_id) await endTakenOver(tx, live)
}

function sessionActive(live: AgentSessionRow): ServiceError {
  return new ServiceError(
    'session_active',
    `${live.agent_identifier} works on this objective. Wait for it, or attach with takeOver to end its session.`,
    { agentIdentifier: live.agent_identifier, lastSeenAt: live.last_heard_at.toISOString() },
  )
}

/** Its supervisor learns with the next renewal that it was superseded, and ends the agent. */
async function endTakenOver(tx: Tx, live: AgentSessionRow): Promise<void> {
  const request = await lockRequest(tx, live.workspace_id, live.execution_request_id ?? '')
  if (request.outcome !== 'running') return
  await moveRequest(tx, 'takeOver', request, {
    generation: request.generation + 1,
    lease_expires_at: null,
    ended_at: sql<Date>`app.now()`,
  })
}

/** A lost session is over once another attaches in its place. */
async function endLostSession(tx: Tx, objective: ObjectiveRow): Promise<void> {
  const lost = await tx
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
    .where('status', '=', 'lost')
    .execute()
  for (const session of lost) await endSession(tx, session, 'superseded')
}
