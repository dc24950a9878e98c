import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId, missionOfDisplayId } from '@svc/contracts/ids'
import type { NextStep } from '@svc/contracts/next-step'

const foundBy = {
  project: { operation: 'listProjects', params: {} },
  mission: { operation: 'listMissions', params: {} },
  objective: { operation: 'getMission', params: {} },
  'execution request': { operation: 'listExecutionRequests', params: {} },
  question: { operation: 'listQuestions', params: {} },
  artifact: { operation: 'listArtifacts', params: {} },
  attachment: { operation: 'listAttachments', params: {} },
  session: { operation: 'attach', params: {} },
  status: { operation: 'listProjectStatuses', params: {} },
  resource: { operation: 'listProjectResources', params: {} },
  runner: { operation: 'listRunners', params: {} },
  'run queue': { operation: 'listRunQueues', params: {} },
  'queue entry': { operation: 'listRunQueues', params: {} },
  token: { operation: 'listUserTokens', params: {} },
  'token of anybody': { operation: 'listWorkspaceTokens', params: {} },
  'connected application': { operation: 'listConnectedApplications', params: {} },
  member: { operation: 'listMembers', params: {} },
  invitation: { operation: 'listInvitations', params: {} },
  'inbox item': { operation: 'listInboxItems', params: {} },
  notification: { operation: 'listNotifications', params: {} },
  webhook: { operation: 'listWebhooks', params: {} },
  'webhook delivery': { operation: 'listWebhookDeliveries', params: {} },
} as const satisfies Record<string, NextStep>

/** Absent, invisible and foreign are one answer, word for word. */
export function notFound(kind: keyof typeof foundBy, ref: string): ServiceError {
  const next = listOf(ref, foundBy[kind])
  return new ServiceError('not_found', `No ${kind} ${ref} here.`, undefined, { next })
}

const restorableBy = {
  mission: { operation: 'listDeletedMissions', params: {} },
  objective: { operation: 'listDeletedObjectives', params: {} },
} as const satisfies Record<string, NextStep>

/** A display id names the mission that its objective would be listed in, whether that is there or not. */
function listOf(ref: string, step: NextStep): NextStep {
  const ofMission = step.operation === 'getMission' || step.operation === 'listDeletedObjectives'
  if (!ofMission || !isObjectiveDisplayId(ref)) return step
  return { operation: step.operation, params: { id: missionOfDisplayId(ref) } }
}

/** The same of what is to be restored, which is listed elsewhere. */
export function notRestorable(kind: keyof typeof restorableBy, ref: string): ServiceError {
  const next = listOf(ref, restorableBy[kind])
  return new ServiceError('not_found', `No ${kind} ${ref} here.`, undefined, { next })
}

export function validationFailed(field: string, message: string): ServiceError {
  return new ServiceError('validation_failed', `${field}: ${message}`, {
    fields: [{ path: field, message }],
  })
}
