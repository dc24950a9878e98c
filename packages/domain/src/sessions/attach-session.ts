import { ServiceError } from '@svc/contracts/errors'
import { isLive } from '@svc/contracts/states'
import type { AgentSessionRow, ExecutionRequestRow } from '@svc/db/tables'
import { type Author, recordEvent } from '../commit/records.ts'
import { allowsRequest } from '../states/table.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { lockRequest, lockSession } from '../lifecycle/locks.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Claimant {
  agentIdentifier: string
  externalSessionId?: string | undefined
  takeOver?: boolean | undefined
}

interface Claimed extends ObjectiveInMission {
  /** The sessions of the objective that have not ended. */
  sessions: readonly AgentSessionRow[]
  /** The one that the claimant works for. */
  request: ExecutionRequestRow | undefined
  author: Author
}

/**
 * At most one session of an objective lives. The same run, or the same session of the agent's own, replaces its former
 * one; anybody else is refused unless they say that they take over. Answers the session that the claimant goes on from.
 */
export async function replaceLiveSession(
  tx: UnitOfWork,
  claimed: Claimed,
  input: Claimant,
): Promise<AgentSessionRow | undefined> {
  const { sessions, request, author } = claimed
  const found = sessions.find(({ status }) => status !== 'lost')
  if (!found) {
    await endLostSessions(tx, claimed, input)
    return undefined
  }
  const other = await lockRequestOf(tx, found, request)
  const live = await lockSession(tx, found)
  const same = isSame(live, request, input)
  if (!same && input.takeOver !== true) throw sessionActive(live, claimed)
  moveSession(tx, 'supersede', live)
  if (same) return live
  endTakenOver(tx, author, { session: live, request: other, by: input })
  return undefined
}

function isSame(
  session: AgentSessionRow,
  request: ExecutionRequestRow | undefined,
  { externalSessionId }: Claimant,
): boolean {
  const { execution_request_id: own } = session
  if (request && own !== null && (own === request.id || own === request.resume_of)) return true
  return externalSessionId !== undefined && session.external_session_id === externalSessionId
}

/** The request that the session works for, unless it is the caller's own, which is locked already. */
async function lockRequestOf(
  tx: UnitOfWork,
  { workspace_id, execution_request_id }: AgentSessionRow,
  own: ExecutionRequestRow | undefined,
): Promise<ExecutionRequestRow | undefined> {
  if (execution_request_id === null || execution_request_id === own?.id) return undefined
  return lockRequest(tx, workspace_id, execution_request_id)
}

function sessionActive(
  live: AgentSessionRow,
  { mission, objective }: ObjectiveInMission,
): ServiceError {
  const objectiveId = displayIdOf(mission, objective)
  return new ServiceError(
    'session_active',
    `${live.agent_identifier} works on this objective. Wait for it, or attach with takeOver to end its session.`,
    { agentIdentifier: live.agent_identifier, lastSeenAt: live.last_heard_at.toISOString() },
    { next: { operation: 'attach', params: { objectiveId, takeOver: true } } },
  )
}

interface TakenOver {
  session: AgentSessionRow
  request: ExecutionRequestRow | undefined
  by: Claimant
}

/** A supervisor learns with its next renewal that its run was superseded, and ends the agent. */
function endTakenOver(tx: UnitOfWork, author: Author, { session, request, by }: TakenOver): void {
  const isUnderWay = request && (request.ended_at === null || isLive(request))
  if (isUnderWay && allowsRequest('takeOver', request)) {
    moveRequest(tx, 'takeOver', request, {
      generation: request.generation + 1,
      lease_expires_at: null,
      ended_at: tx.locks.now,
    })
  }
  recordEvent(
    tx,
    author,
    { agent_session: session },
    {
      type: 'run_ended',
      summary: `${by.agentIdentifier} works in place of ${session.agent_identifier}`,
      data: { executionRequestId: session.execution_request_id, outcome: 'cancelled' },
    },
  )
}

/** A lost session is over once another attaches in its place, and so is its run, which may still be at work. */
async function endLostSessions(
  tx: UnitOfWork,
  { sessions: lost, request, author }: Claimed,
  by: Claimant,
): Promise<void> {
  for (const session of lost) {
    const other = await lockRequestOf(tx, session, request)
    if (!isSame(session, request, by)) {
      endTakenOver(tx, author, { session, request: other, by })
    }
  }
  for (const session of lost) moveSession(tx, 'supersede', session)
}
