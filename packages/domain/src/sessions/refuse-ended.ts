import { ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import { isSessionOver } from '@svc/contracts/states'
import type { AgentSessionRow } from '@svc/db/tables'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'

/** The fence of every call that speaks with a session's key: what has ended writes nothing more. */
export function refuseIfEnded(session: AgentSessionRow, mission: MissionRecord) {
  if (!isSessionOver(session)) return
  const { end_reason } = session
  const { what, next } = whatHelps(end_reason, mission)
  throw new ServiceError('session_ended', what, { endReason: end_reason }, { next })
}

interface Help {
  what: string
  next?: NextStep
}

function whatHelps(reason: AgentSessionRow['end_reason'], mission: MissionRecord): Help {
  if (reason === 'delivered') {
    return {
      what: 'This session has delivered, and that stands: other work is recorded on another objective, or with the mission alone, which adds one.',
      next: { operation: 'addObjectives', params: { id: displayIdOfMission(mission) } },
    }
  }
  if (reason === 'cancelled') return { what: 'A person has called this work off. Stop.' }
  return {
    what: `This session has ended (${reason}).`,
    next: { operation: 'attach', params: {} },
  }
}
