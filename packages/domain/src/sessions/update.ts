import type { ProtocolInput, ProtocolOutput } from '@svc/contracts/protocol'
import type { Actor } from '../actor.ts'
import { validationFailed } from '../errors.ts'
import { recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { collectWarnings } from '../warnings.ts'
import { continueSession, lockSessionCall } from './call.ts'
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
    const rationales = readRationales(input.changeRationales ?? [], warnings)
    await writeRationales(tx, call.objective, null, rationales, warnings)
    const eventId =
      input.text === undefined
        ? null
        : await recordEvent(tx, call.author, {
            workspaceId: actor.workspaceId,
            missionId: call.mission.id,
            objectiveId: call.objective.id,
            type: 'update',
            summary: input.text,
          })
    return { eventId, warnings: warnings.list(), ...replyOf(call.request) }
  })
}

/** A sign of life and nothing else: no event, no change of state. */
export async function heartbeatSession(
  context: UseCase,
  actor: Actor,
  input: ProtocolInput<'heartbeat'>,
): Promise<ProtocolOutput<'heartbeat'>> {
  return inTransaction(context, async (tx) => {
    const locked = await lockSessionCall(tx, actor, 'session:update', input)
    const call = await continueSession(tx, locked)
    return { lastHeardAt: call.session.last_heard_at.toISOString(), ...replyOf(call.request) }
  })
}
