import { z } from 'zod'

// spec: States and transitions
export const ObjectiveState = z.enum([
  'draft',
  'submitted',
  'launching',
  'executing',
  'complete',
  'awaiting_approval',
])
export type ObjectiveState = z.infer<typeof ObjectiveState>

/** Why the last run of an objective ended without a delivery. Decision 19. */
export const LastOutcome = z.enum(['lost', 'exited', 'cancelled', 'question_expired'])
export type LastOutcome = z.infer<typeof LastOutcome>

export const RequestStatus = z.enum([
  'queued',
  'claimed',
  'launching',
  'launched',
  'failed',
  'cancelled',
  'expired',
])
export type RequestStatus = z.infer<typeof RequestStatus>

/** What became of the run after `launched`. Decision 23. */
export const RunOutcome = z.enum(['running', 'parked', 'delivered', 'exited', 'lost', 'cancelled'])
export type RunOutcome = z.infer<typeof RunOutcome>

export const RequestKind = z.enum(['run', 'resume'])
export const RequestSource = z.enum([
  'api',
  'web',
  'cli',
  'mcp',
  'auto_advance',
  'run_queue',
  'answer',
])
export type RequestSource = z.infer<typeof RequestSource>

/** The vocabulary that all projects share; `phase` of a mission is the type of its status. Decision 32. */
export const StatusType = z.enum(['draft', 'execute', 'review', 'complete', 'blocked', 'cancelled'])
export type StatusType = z.infer<typeof StatusType>

/** In a mission of such a status nothing is launched or claimed, until a person moves it back. */
export const closedTypes: readonly StatusType[] = ['complete', 'cancelled']
export function isClosed(type: StatusType): boolean {
  return closedTypes.includes(type)
}

export const Priority = z.enum(['low', 'normal', 'high', 'urgent'])

export const SessionPhase = z.enum(['execute', 'review'])
export const SessionStatus = z.enum(['active', 'waiting_answer', 'stale', 'lost', 'ended'])
export type SessionStatus = z.infer<typeof SessionStatus>
export const SessionEndReason = z.enum(['delivered', 'exited', 'superseded', 'cancelled'])
export type SessionEndReason = z.infer<typeof SessionEndReason>

export const ConnectionState = z.enum(['connected', 'unavailable'])
export const ResourcePermission = z.enum(['rw', 'ro'])

export const VcsStatus = z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'untracked'])

export const notStarted = [
  'draft',
  'submitted',
  'awaiting_approval',
] as const satisfies readonly ObjectiveState[]
export const active = ['launching', 'executing'] as const satisfies readonly ObjectiveState[]
