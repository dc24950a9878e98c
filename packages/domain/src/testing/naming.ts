import type { Operation } from './operations.ts'

/** The levels at which access is granted: a workspace holds accounts and projects, a project missions, and so on. */
export type Level = 'workspace' | 'account' | 'project' | 'mission' | 'objective'

/** The arguments of operations that name something, and of what each is. */
export const levelOf = {
  tokenId: 'account',
  connectedApplicationId: 'account',
  workspaceTokenId: 'workspace',
  memberId: 'workspace',
  invitationId: 'workspace',
  inboxItemId: 'account',
  notificationIds: 'account',
  runnerId: 'workspace',
  projectId: 'project',
  projectIds: 'project',
  statusId: 'project',
  queueId: 'project',
  queueIds: 'project',
  moveEntriesTo: 'project',
  statusIds: 'project',
  moveTo: 'project',
  webhookId: 'project',
  deliveryId: 'project',
  missionId: 'mission',
  missionIds: 'mission',
  artifactId: 'mission',
  objectiveId: 'objective',
  attachmentId: 'objective',
  objectiveIds: 'objective',
  executionRequestId: 'objective',
  sessionKey: 'objective',
  questionId: 'objective',
  leases: 'objective',
  entryId: 'objective',
  orderedEntryIds: 'objective',
} as const satisfies Record<string, Level>

export type Naming = keyof typeof levelOf
/** A value for each argument that names something. */
export type Names = Readonly<Record<Naming, unknown>>

/** What the `id` of a path names, by the part of the path before it. */
const namedByPath: Record<string, Naming> = {
  projects: 'projectId',
  missions: 'missionId',
  objectives: 'objectiveId',
  'execution-requests': 'executionRequestId',
  requests: 'executionRequestId',
  webhooks: 'webhookId',
  'user-tokens': 'tokenId',
  'workspace/user-tokens': 'workspaceTokenId',
  'connected-applications': 'connectedApplicationId',
  members: 'memberId',
  invitations: 'invitationId',
  'inbox-items': 'inboxItemId',
  runners: 'runnerId',
  attachments: 'attachmentId',
  questions: 'questionId',
  'run-queues': 'queueId',
  entries: 'entryId',
}

/** What this field of the operation names, if anything. */
export function namingOf({ name, idOf }: Operation, field: string): Naming | undefined {
  if (field !== 'id') return field in levelOf ? (field as Naming) : undefined // it is one of its keys
  const naming = namedByPath[idOf ?? '']
  if (!naming) throw new Error(`${name}: say in namedByPath what its id names`)
  return naming
}
