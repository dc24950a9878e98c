import { z } from 'zod'
import { MissionRef, Timestamp, Uuid } from './ids.ts'

/** A change of one row, as the live feed carries it. `id` of the server-sent event is `<xid>.<seq>`, the cursor. */
export const FeedChange = z.strictObject({
  entity: z.enum([
    'mission',
    'objective',
    'execution_request',
    'agent_session',
    'question',
    'delivery',
    'artifact',
    'mission_event',
    'project',
    'run_queue',
  ]),
  entityId: Uuid,
  operation: z.string(),
  projectId: Uuid.nullable(),
  missionId: Uuid.nullable(),
  data: z.record(z.string(), z.unknown()),
  at: Timestamp,
})
export type FeedChange = z.infer<typeof FeedChange>

/** Sent instead of changes when the cursor is older than what is kept: read everything anew. */
export const FeedReset = z.strictObject({ reason: z.literal('cursor_too_old') })
export type FeedReset = z.infer<typeof FeedReset>

/** Two numbers as the database writes and takes them. */
export const FeedCursor = z.string().regex(/^(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})$/)

// spec-independent paths of the two feeds; both are server-sent events and need mission:read
export const feedPaths = { mission: '/api/missions/:id/feed', workspace: '/api/feed' } as const

/** What a request for a feed holds; the mission only for the feed of one. */
export const feedParts = {
  params: z.strictObject({ id: MissionRef }),
  query: z.strictObject({ cursor: FeedCursor.optional() }),
  headers: z.strictObject({ 'last-event-id': FeedCursor.optional() }),
} as const
