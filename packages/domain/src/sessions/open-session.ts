import { randomBytes } from 'node:crypto'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { recordChange } from '../commit/records.ts'
import { seqOf } from '../execution-requests/insert.ts'
import { newId } from '../common/ids.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { hashSessionKey } from '../entities/sessions/queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Opening {
  agentIdentifier: string
  modelIdentifier?: string | undefined
  externalSessionId?: string | undefined
}

interface Opened {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
  /** The row of `selectNextSeq`, read under the objective's lock. */
  next: readonly { seq: number }[]
}

/** A session is given its key once, and its row keeps the hash. Written with the commit. */
export function openSession(
  tx: UnitOfWork,
  actor: Actor,
  input: Opening,
  { mission, objective, request, next }: Opened,
): { session: AgentSessionRow; sessionKey: string } {
  const sessionKey = `sess_${randomBytes(32).toString('base64url')}`
  const now = tx.locks.now
  const session: AgentSessionRow = {
    workspace_id: mission.workspace_id,
    id: newId(),
    mission_id: mission.id,
    objective_id: objective.id,
    execution_request_id: request?.id ?? null,
    generation: request?.generation ?? null,
    user_id: actor.userId,
    session_key_hash: hashSessionKey(sessionKey),
    agent_identifier: input.agentIdentifier,
    model_identifier: input.modelIdentifier ?? null,
    external_session_id: input.externalSessionId ?? null,
    title: `${displayIdOf(mission, objective)} - ${objective.title}`,
    phase: 'execute',
    status: 'active',
    end_reason: null,
    attached_at: now,
    last_heard_at: now,
    ended_at: null,
    percent: null,
    note: null,
    seq: seqOf(next),
  }
  // an objective has one live session
  tx.pending.insert('agent_sessions', session)
  recordChange(tx, { agent_session: session, mission }, 'attached', { objectiveId: objective.id })
  return { session, sessionKey }
}
