import type { ProtocolInput, ProtocolOutput } from '@svc/contracts/protocol'
import type { Tx } from '@svc/db/database'
import type { Actor } from '../actor.ts'
import { validationFailed } from '../errors.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { collectWarnings } from '../warnings.ts'
import { type SessionCall, continueSession, lockSessionCall } from './call.ts'
import { readRationales, writeRationales } from './rationales.ts'
import { replyOf } from './views.ts'

/** A narrative update; the objective's state stays what it is. spec: States and transitions, row 7. */
export async function updateSession(
  context: UseCase,
  actor: Actor,
  input: ProtocolInput<'update'>,
): Promise<ProtocolOutput<'update'>> {
  if (input.text === undefined && input.changeRationales === undefined) {
    throw validationFailed('text', 'give text or changeRationales')
  }
  return inTransaction(context, async (tx) => {
    const warnings = collectWarnings()
    const locked = await lockSessionCall(tx, actor, 'session:update', input)
    const call = await continueSession(tx, locked)
    const rationales = readRationales(input.changeRationales, warnings)
    await writeRationales(tx, { of: call.objective }, rationales, warnings)
    const eventId =
      input.text === undefined
        ? null
        : recordEvent(tx, call.author, {
            workspaceId: actor.workspaceId,
            missionId: call.mission.id,
            objectiveId: call.objective.id,
            type: 'update',
            summary: input.text,
          })
    return { eventId, warnings: warnings.list(), ...replyOf(call.request) }
  })
}

/** A sign of life: no event, no change of state. What is said of the progress is kept, the last of each. */
export async function heartbeatSession(
  context: UseCase,
  actor: Actor,
  input: ProtocolInput<'heartbeat'>,
): Promise<ProtocolOutput<'heartbeat'>> {
  return inTransaction(context, async (tx) => {
    const locked = await lockSessionCall(tx, actor, 'session:update', input)
    const call = await continueSession(tx, locked)
    await keepProgress(tx, call, input)
    return { lastHeardAt: call.session.last_heard_at.toISOString(), ...replyOf(call.request) }
  })
}

async function keepProgress(
  tx: Tx,
  { mission, session }: SessionCall,
  said: ProtocolInput<'heartbeat'>,
): Promise<void> {
  const percent = said.percent ?? session.percent
  const note = said.note ?? session.note
  if (percent === session.percent && note === session.note) return
  await tx
    .updateTable('agent_sessions')
    .set({ percent, note })
    .where('workspace_id', '=', session.workspace_id)
    .where('id', '=', session.id)
    .execute()
  recordChange(tx, {
    workspaceId: session.workspace_id,
    projectId: mission.project_id,
    missionId: mission.id,
    entity: 'agent_session',
    entityId: session.id,
    operation: 'progress',
    data: { objectiveId: session.objective_id, percent, note },
  })
}
