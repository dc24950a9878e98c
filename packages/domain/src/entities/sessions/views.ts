import type { AgentSession } from '@svc/contracts/agent-session'
import type { PendingAnswer } from '@svc/contracts/agent-session'
import type { AgentSessionRow, ExecutionRequestRow, QuestionRow } from '@svc/db/tables'
import { viewPending } from '../questions/views.ts'

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

export interface Reply {
  directive: 'continue' | 'stop'
  pendingAnswers: PendingAnswer[]
}

interface Spoken {
  request: ExecutionRequestRow | undefined
  question: QuestionRow | undefined
}

/** What every reply to an agent says in addition to its own content. */
export function replyOf({ request, question }: Spoken): Reply {
  const stop = request !== undefined && request.cancel_requested_at !== null
  return { directive: stop ? 'stop' : 'continue', pendingAnswers: viewPending(question) }
}
