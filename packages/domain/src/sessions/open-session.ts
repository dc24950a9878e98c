import { randomBytes } from 'node:crypto'
import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../actor.ts'
import { recordChange } from '../commit/records.ts'
import { makeRoom } from '../commit/transaction.ts'
import { newId } from '../ids.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { displayIdOf } from '../objectives/views.ts'
import { hashSessionKey } from './queries.ts'

interface Opening {
  agentIdentifier: string
  modelIdentifier?: string | undefined
  externalSessionId?: string | undefined
}

interface Opened {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
}

/** A session is told its key once, and keeps its hash. */
export async function openSession(
  tx: Tx,
  actor: Actor,
  input: Opening,
  { mission, objective, request }: Opened,
): Promise<{ session: AgentSessionRow; sessionKey: string }> {
  const sessionKey = `sess_${randomBytes(32).toString('base64url')}`
  makeRoom(tx, 'agent_sessions')
  const session = await tx
    .insertInto('agent_sessions')
    .values({
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChange(tx, {
    workspaceId: mission.workspace_id,
    projectId: mission.project_id,
    missionId: mission.id,
    entity: 'agent_session',
    entityId: session.id,
    operation: 'attached',
    data: { objectiveId: objective.id },
  })
  return { session, sessionKey }
}
