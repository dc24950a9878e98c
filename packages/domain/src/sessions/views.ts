import type { AgentSession } from '@svc/contracts/agent-session'
import type { AgentSessionRow, ExecutionRequestRow } from '@svc/db/tables'

export function viewSession(session: AgentSessionRow): AgentSession {
  return {
    id: session.id,
    missionId: session.mission_id,
    objectiveId: session.objective_id,
    executionRequestId: session.execution_request_id,
    title: session.title,
    agentIdentifier: session.agent_identifier,
    modelIdentifier: session.model_identifier,
    phase: session.phase,
    status: session.status,
    endReason: session.end_reason,
    attachedAt: session.attached_at.toISOString(),
    lastHeardAt: session.last_heard_at.toISOString(),
  }
}

/** What every reply to an agent says beside its own content. */
export function replyOf(request: ExecutionRequestRow | undefined): {
  directive: 'continue' | 'stop'
  pendingAnswers: []
} {
  const stop = request !== undefined && request.cancel_requested_at !== null
  return { directive: stop ? 'stop' : 'continue', pendingAnswers: [] }
}
