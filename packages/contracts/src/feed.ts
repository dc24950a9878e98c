import { z } from 'zod'
import { MissionRef, Revision, Timestamp, Uuid } from './ids.ts'
import type { Permission } from './permissions.ts'

interface EntityRow {
  /** What whoever follows needs in addition to `mission:read` to see its changes. */
  readonly permission?: Permission
  /** Of one person alone: nobody else sees it, whatever they may do. */
  readonly own?: true
  /** A token that is bound to one objective sees only those of this one. */
  readonly ofObjective?: true
  /** A token that is bound to projects sees it, of whatever project it is. */
  readonly ofWorkspace?: true
}

/** What the live feed shows changes of, each for those who may read the thing itself. */
export const feedEntities = {
  mission: {},
  objective: {},
  execution_request: { ofObjective: true },
  agent_session: {},
  question: { ofObjective: true },
  delivery: {},
  artifact: {},
  mission_event: {},
  project: { permission: 'project:read' },
  run_queue: { permission: 'project:read' },
  runner: { permission: 'project:read', ofWorkspace: true },
  webhook: { permission: 'webhook:read' },
  member: { permission: 'member:read', ofWorkspace: true },
  invitation: { permission: 'member:invite' },
  workspace: { permission: 'workspace:read', ofWorkspace: true },
  inbox_item: { permission: 'own_inbox:manage', own: true, ofWorkspace: true },
  audit_entry: { permission: 'audit:read' },
  notification: { permission: 'own_inbox:manage', own: true },
} as const satisfies Record<string, EntityRow>

export type FeedEntity = keyof typeof feedEntities
// The keys of an object literal are its key type; Object.keys only says string.
const entityNames = Object.keys(feedEntities) as [FeedEntity, ...FeedEntity[]]

export function feedEntityRow(entity: FeedEntity): EntityRow {
  return feedEntities[entity]
}

/** A change of one row, as the live feed carries it. The id of the server-sent event is the cursor. */
export const FeedChange = z.strictObject({
  entity: z.enum(entityNames),
  entityId: Uuid,
  operation: z.string(),
  /** What the change made it; null where the thing has none. An older one than is known says nothing new. */
  revision: Revision.nullable(),
  projectId: Uuid.nullable(),
  missionId: Uuid.nullable(),
  data: z.record(z.string(), z.unknown()),
  at: Timestamp,
})
export type FeedChange = z.infer<typeof FeedChange>

/** The first of each connection. Its id is the cursor: what is read from now on holds all that came before it. */
export const FeedStart = z.strictObject({
  /** Of the service that answers. */
  version: z.string(),
})
export type FeedStart = z.infer<typeof FeedStart>

/** How far the log of a run goes by now: about once a second for each run at most, and of several uploads the last. */
export const FeedLog = z.strictObject({
  executionRequestId: Uuid,
  objectiveId: Uuid,
  missionId: Uuid,
  projectId: Uuid,
  /** A log begins anew with each claim. */
  generation: z.int(),
  /** Where the output ends, as an offset of `getRunLog`. */
  bytes: z.int().nonnegative(),
  at: Timestamp,
})
export type FeedLog = z.infer<typeof FeedLog>

/** Sent instead of changes when the cursor is older than what is kept: read everything anew. */
export const FeedReset = z.strictObject({ reason: z.literal('cursor_too_old') })
export type FeedReset = z.infer<typeof FeedReset>

/**
 * Numbers as the database writes and takes them: the transaction and the place in it that changes go on from, and the
 * transaction that logs go on from, which a cursor of earlier versions lacks; and, once the feed of a database was begun anew, since
 * when, by which a cursor of before is known.
 */
export const FeedCursor = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})(\.(0|[1-9][0-9]{0,17})){0,2}$/)

/** What the feed sends, by the name of the event. */
export const feedEvents = {
  start: FeedStart,
  change: FeedChange,
  log: FeedLog,
  reset: FeedReset,
} as const

type FeedData = { [E in keyof typeof feedEvents]: z.infer<(typeof feedEvents)[E]> }
/** `id` is the cursor to go on from. */
export type FeedEvent = {
  [E in keyof FeedData]: { event: E; id: string; data: FeedData[E] }
}[keyof FeedData]

// spec-independent paths of the two feeds; both are server-sent events and need mission:read
export const feedPaths = { mission: '/api/missions/:id/feed', workspace: '/api/feed' } as const

/** What a request for a feed holds; the mission only for the feed of one. */
export const feedParts = {
  params: z.strictObject({ id: MissionRef }),
  query: z.strictObject({ cursor: FeedCursor.optional() }),
  headers: z.strictObject({ 'last-event-id': FeedCursor.optional() }),
} as const
