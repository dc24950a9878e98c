import type { FeedEntity } from '@svc/contracts/feed'
import type { MissionEventType } from '@svc/contracts/mission'
import type { Role } from '@svc/contracts/permissions'
import type {
  AgentSessionRow,
  ArtifactRow,
  AuditTrailRow,
  DeliveryRow,
  ExecutionRequestRow,
  InboxItemRow,
  InvitationRow,
  MissionEventRow,
  MissionRow,
  ObjectiveRow,
  ProjectRow,
  QuestionRow,
  RunQueueRow,
  RunnerRow,
  WebhookSubscriptionRow,
  WorkspaceRow,
} from '@svc/db/tables'
import { newId } from '../common/ids.ts'
import { channels } from '../jobs/wake-hub.ts'
import { noteStep } from './steps.ts'
import { type UnitOfWork, wakeAfterCommit } from './unit-of-work.ts'

/** Who an event or change is ascribed to. */
export interface Author {
  userId: string | null
  role: 'person' | 'agent' | 'runner' | 'service'
}
export const byService: Author = { userId: null, role: 'service' }

type Ids = 'workspace_id' | 'id'

/**
 * What may change, with its row as it is by now: ids and revision come from it. In addition it has what no other row has.
 */
interface Rows {
  project: Pick<ProjectRow, Revised | 'slug'>
  run_queue: Pick<RunQueueRow, Revised | 'project_id' | 'pause_reason'>
  runner: Pick<RunnerRow, Ids | 'fingerprint'>
  webhook: Pick<WebhookSubscriptionRow, Revised | 'project_id' | 'endpoint_url'>
  /** Its id is that of the person. */
  member: { workspace_id: string; id: string; role: Role }
  invitation: Pick<InvitationRow, Ids | 'email'>
  workspace: Pick<WorkspaceRow, 'id' | 'revision' | 'max_token_days'> & { workspace_id: string }
  inbox_item: Pick<InboxItemRow, Revised | 'user_id' | 'done_at'>
  audit_entry: Pick<AuditTrailRow, Ids | 'project_id'>
  objective: Pick<ObjectiveRow, Revised | 'mission_id' | 'state'>
  execution_request: Pick<ExecutionRequestRow, InObjective | 'project_id' | 'generation' | 'source'>
  agent_session: Pick<AgentSessionRow, InObjective | 'agent_identifier' | 'end_reason'>
  question: Pick<QuestionRow, InObjective | 'project_id' | 'question'>
  delivery: Pick<DeliveryRow, InObjective> & { status?: never }
  artifact: Pick<ArtifactRow, InObjective | 'revision' | 'label'>
  mission_event: Pick<MissionEventRow, Ids | 'mission_id' | 'type'>
  // the last: together with another row it only says of which project that is
  mission: Pick<MissionRow, Revised | 'project_id' | 'title'>
}
type Revised = Ids | 'revision'
type InObjective = Ids | 'mission_id' | 'objective_id'
/** Changes of notifications are recorded by a trigger of their table. */
type Entity = Exclude<FeedEntity, 'notification'> & keyof Rows

type Of<Given extends Entity> = { [E in Given]: Rows[E] } & {
  [E in Exclude<Entity, Given>]?: never
}
type OneOf<Given extends Entity> = { [E in Given]: Of<E> }[Given]

/** The rows that an entry in the history of a mission can be about. */
type HistorySubject = OneOf<
  | 'mission'
  | 'objective'
  | 'execution_request'
  | 'agent_session'
  | 'question'
  | 'delivery'
  | 'artifact'
>

type SaysItsProject =
  | 'project'
  | 'mission'
  | 'run_queue'
  | 'webhook'
  | 'audit_entry'
  | 'execution_request'
  | 'question'
type InNoProject = 'runner' | 'inbox_item' | 'member' | 'invitation' | 'workspace'
type InMission = 'objective' | 'delivery' | 'artifact' | 'agent_session'

/** With its mission where its row does not say the project. */
type Changed =
  | OneOf<SaysItsProject | InNoProject>
  | { [E in InMission]: Of<E | 'mission'> }[InMission]
  | { [E in InMission]: Of<E> & { [R in E]: { project_id: string } } }[InMission]
  // a reader looks the project of these up by the mission
  | OneOf<'agent_session' | 'mission_event'>

interface EventFacts {
  type: MissionEventType
  summary: string
  data?: Record<string, unknown>
}

/** Writes one entry of the mission's history, in the transaction of the change that it is about. Answers its id. */
export function recordEvent(
  tx: UnitOfWork,
  author: Author,
  of: HistorySubject,
  event: EventFacts,
): string {
  const { row, missionId, objectiveId } = named(of)
  if (missionId === null) throw new Error('the history is that of a mission')
  const { type, summary, data = {} } = event
  const recorded = { workspace_id: row.workspace_id, id: newId(), mission_id: missionId, type }
  tx.pending.append('mission_events', {
    ...recorded,
    objective_id: objectiveId,
    summary,
    data: JSON.stringify(data),
    actor_id: author.userId,
    actor_role: author.role,
  })
  const { executionRequestId, outcome } = data
  recordChange(tx, { mission_event: recorded }, type, {
    summary,
    objectiveId,
    ...(typeof outcome === 'string' && { outcome }),
  })
  noteStep(tx, () => ({
    did: 'record',
    id: recorded.id,
    type,
    workspaceId: row.workspace_id,
    missionId,
    objectiveId,
    executionRequestId: typeof executionRequestId === 'string' ? executionRequestId : null,
  }))
  return recorded.id
}

/** Writes one line of the live feed, in the transaction of the change that it is about. */
export function recordChange(
  tx: UnitOfWork,
  of: Changed,
  operation: string,
  data: Record<string, unknown> = {},
): void {
  const { entity, row, projectId, missionId, userId, revision } = named(of)
  // what a mission's row says may be older: a transaction revises it once for all that it records
  const newest = (entity === 'mission' && tx.pending.revisions.get(row.id)) || revision
  tx.pending.append('entity_changes', {
    workspace_id: row.workspace_id,
    project_id: projectId,
    mission_id: missionId,
    entity,
    entity_id: row.id,
    operation,
    data: JSON.stringify(data),
    user_id: userId,
    revision: newest === undefined ? null : String(newest),
  })
  wakeAfterCommit(tx, channels.changes)
}

// in the order of their rows
const entities = [
  'project',
  'run_queue',
  'runner',
  'webhook',
  'inbox_item',
  'member',
  'invitation',
  'workspace',
  'audit_entry',
  'objective',
  'execution_request',
  'agent_session',
  'question',
  'delivery',
  'artifact',
  'mission_event',
  'mission',
] as const satisfies readonly Entity[]

interface Known {
  id: string
  project_id?: string | null
  mission_id?: string
  objective_id?: string | null
  revision?: number
}

function named(of: { readonly [E in Entity]?: Rows[E] | undefined }) {
  const entity = entities.find((one) => of[one] !== undefined)
  const row = entity && of[entity]
  if (!row) throw new Error('the types leave no change that is of nothing')
  const known: Known = row
  const ownId = (kind: Entity) => (entity === kind ? row.id : null)
  return {
    entity,
    row,
    projectId: ownId('project') ?? known.project_id ?? of.mission?.project_id ?? null,
    missionId: ownId('mission') ?? known.mission_id ?? null,
    userId: of.inbox_item?.user_id ?? null,
    revision: known.revision,
    objectiveId: ownId('objective') ?? known.objective_id ?? null,
  }
}
