import { cutText } from '@svc/contracts/cut-text'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { MissionRecord } from './queries.ts'
import { displayIdOfMission } from './views.ts'

/** What an outbox event keeps of rows that may change before it is sent. */
export function snapshotMission(mission: MissionRecord) {
  return {
    id: mission.id,
    displayId: displayIdOfMission(mission),
    priority: mission.priority,
    title: mission.title,
    status: { id: mission.status_id, type: mission.status_type, label: mission.status_label },
    createdAt: mission.created_at.toISOString(),
    revision: mission.revision,
  }
}

export function snapshotObjective(objective: ObjectiveRow) {
  return {
    id: objective.id,
    position: objective.position,
    title: objective.title,
    state: objective.state,
  }
}

export function snapshotSession(session: AgentSessionRow) {
  return {
    id: session.id,
    agentIdentifier: session.agent_identifier,
    modelIdentifier: session.model_identifier,
  }
}

const reasonCharacters = 300

interface EndedRun {
  request?: ExecutionRequestRow | undefined
  session?: AgentSessionRow | undefined
}

/** A run that brought no delivery, and why; who attached on its own was never launched. */
export function snapshotRun({ request, session }: EndedRun, reason: string) {
  return {
    id: request?.id ?? null,
    agent: request?.agent ?? session?.agent_identifier ?? '',
    reason: cutText(reason, reasonCharacters),
  }
}
