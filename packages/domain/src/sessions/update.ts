import type { ProtocolInput, ProtocolOutput } from '@svc/contracts/protocol'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { collectWarnings } from '../common/warnings.ts'
import { type SessionCall, continueSession, lockSessionCall } from './call.ts'
import { readRationales, writeRationales } from './rationales.ts'
import { openQuestion } from './open-question.ts'
import { showAnswer, takeShown } from './take-answers.ts'
import { replyOf } from '../entities/sessions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A narrative update; the objective's state stays what it is. spec: States and transitions, row 7. */
export async function updateSession(
  context: UseCase,
  actor: Actor,
  input: ProtocolInput<'update'>,
): Promise<ProtocolOutput<'update'>> {
  const { text, question, options, supersede } = input
  if (text === undefined && question === undefined && input.changeRationales === undefined) {
    throw validationFailed('text', 'give text, question or changeRationales')
  }
  if (question === undefined && options !== undefined) {
    throw validationFailed('options', 'they are of a question; give it too')
  }
  if (question === undefined && supersede === true) {
    throw validationFailed('supersede', 'it makes room for another question; give it too')
  }
  return inTransaction(context, async (tx) => {
    const warnings = collectWarnings()
    const locked = await lockSessionCall(tx, actor, 'session:update', input)
    const call = await takeShown(tx, await continueSession(tx, locked))
    const rationales = readRationales(input.changeRationales, warnings)
    await writeRationales(tx, { objective: call.objective }, rationales, warnings)
    const eventId =
      text === undefined
        ? null
        : recordEvent(
            tx,
            call.author,
            { objective: call.objective },
            { type: 'update', summary: text },
          )
    if (question === undefined) {
      return { eventId, warnings: warnings.list(), ...showAnswer(tx, call) }
    }
    const asked = await openQuestion(tx, call, {
      question,
      options,
      supersede,
      allowFreeText: true,
    })
    return {
      eventId: eventId ?? asked.eventId,
      questionId: asked.question.id,
      warnings: warnings.list(),
      ...replyOf(asked.call),
    }
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
    keepProgress(tx, call, input)
    return { lastHeardAt: call.session.last_heard_at.toISOString(), ...replyOf(call) }
  })
}

function keepProgress(
  tx: UnitOfWork,
  { mission, session }: SessionCall,
  said: ProtocolInput<'heartbeat'>,
): void {
  const percent = said.percent ?? session.percent
  const note = said.note ?? session.note
  if (percent === session.percent && note === session.note) return
  tx.pending.set('agent_sessions', session, { percent, note })
  recordChange(tx, { agent_session: session, mission }, 'progress', {
    objectiveId: session.objective_id,
    percent,
    note,
  })
}
