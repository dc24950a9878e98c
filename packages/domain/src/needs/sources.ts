import type { NeedKind } from '@svc/contracts/need'
import { type RawBuilder, sql } from 'kysely'
import { holdsAnywhere, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { selectUntaken } from '../runners/untaken.ts'
import { isEnding } from '../user-tokens/notify-of-end.ts'
import { type Source, sourceOf } from './select-ids.ts'

const within = (row: string, { workspaceId }: Actor) =>
  sql`${sql.ref(`${row}.workspace_id`)} = ${workspaceId}`

/** Looked up for each row that is found, so that no plan begins with the missions. */
const ofMission = (row: string, column: RawBuilder<unknown>) => sql`(
  select ${column} from missions m
   where m.workspace_id = ${sql.ref(`${row}.workspace_id`)} and m.id = ${sql.ref(`${row}.mission_id`)})`

const isThere = (row: string) => sql`${ofMission(row, sql`m.deleted_at is null`)} and (
  select o.deleted_at is null from objectives o
   where o.workspace_id = ${sql.ref(`${row}.workspace_id`)} and o.id = ${sql.ref(`${row}.objective_id`)})`

const ownScope = (row: string) => ({
  projectId: sql.ref(`${row}.project_id`),
  missionId: sql.ref(`${row}.mission_id`),
  objectiveId: sql.ref(`${row}.objective_id`),
})

const objectives = {
  permission: 'mission:read',
  from: sql`objectives o`,
  id: sql.ref('o.id'),
  addressedTo: sql.ref('o.addressed_to'),
  scope: {
    projectId: ofMission('o', sql.ref('m.project_id')),
    missionId: sql.ref('o.mission_id'),
    objectiveId: sql.ref('o.id'),
  },
} as const

const projectOfEntry = sql`(
  select q.project_id from run_queues q where q.workspace_id = e.workspace_id and q.id = e.run_queue_id)`

/** The longest that have waited come first, by what was made first: ids never change, so a cursor stays good. */
export const sources: Readonly<Record<NeedKind, Source>> = {
  question: sourceOf({
    permission: 'mission:read',
    from: sql`questions q`,
    where: (actor) => sql`${within('q', actor)} and q.status = 'open' and ${isThere('q')}`,
    id: sql.ref('q.id'),
    addressedTo: sql.ref('q.addressed_to'),
    scope: ownScope('q'),
    bytes: ({ workspaceId }) => sql`(
      select octet_length(q.question) + octet_length(q.options::text) from questions q
       where q.workspace_id = ${workspaceId} and q.id = page.id)`,
  }),
  review: sourceOf({
    permission: 'mission:read',
    from: sql`missions m`,
    where: (actor) =>
      sql`${within('m', actor)} and m.in_review_since is not null and m.deleted_at is null`,
    id: sql.ref('m.id'),
    addressedTo: sql.ref('m.addressed_to'),
    scope: { projectId: sql.ref('m.project_id'), missionId: sql.ref('m.id') },
  }),
  approval: sourceOf({
    ...objectives,
    where: (actor) => sql`${within('o', actor)} and o.need = 'awaiting_approval'`,
  }),
  // the entry of one that is queued says it
  stopped_run: sourceOf({
    ...objectives,
    where: (actor) => sql`${within('o', actor)} and o.need = 'stopped' and not exists (
      select from run_queue_entries e
       where e.workspace_id = o.workspace_id and e.objective_id = o.id offset 0)`,
  }),
  held_entry: sourceOf({
    permission: 'project:read',
    from: sql`run_queue_entries e`,
    where: (actor) => sql`${within('e', actor)} and e.state = 'held'`,
    id: sql.ref('e.id'),
    addressedTo: sql`coalesce(e.turn_granted_by, e.queued_by)`,
    scope: {
      projectId: projectOfEntry,
      missionId: sql.ref('e.mission_id'),
      objectiveId: sql.ref('e.objective_id'),
    },
  }),
  // in one that holds nothing else, nothing waits for the end of the pause
  paused_queue: sourceOf({
    permission: 'project:read',
    from: sql`run_queues q`,
    where: (actor) => sql`${within('q', actor)} and q.paused_at is not null and exists (
      select from run_queue_entries e
       where e.workspace_id = q.workspace_id and e.run_queue_id = q.id and e.state = 'waiting' offset 0)`,
    id: sql.ref('q.id'),
    addressedTo: sql.ref('q.addressed_to'),
    scope: { projectId: sql.ref('q.project_id') },
  }),
  untaken_launch: {
    permission: 'project:read',
    select({ actor, whose, projectIds, after, limit }) {
      const conditions = [
        whereVisibleTo(actor, ownScope('e')),
        ...(whose === 'mine' ? [sql`e.requested_by = ${actor.userId}`] : []),
        ...(projectIds === undefined ? [] : [sql`e.project_id = any(${projectIds}::uuid[])`]),
        ...(after === undefined ? [] : [isAfter(actor, after)]),
      ]
      const isWanted = sql.join(conditions, sql` and `)
      const asked = { workspaceId: actor.workspaceId, isWanted, most: limit }
      return sql<{ id: string }>`select id from (${selectUntaken(asked)}) as found`
    },
  },
  disabled_webhook: sourceOf({
    permission: 'webhook:read',
    from: sql`webhook_subscriptions w`,
    where: (actor) =>
      sql`${within('w', actor)} and w.disabled_at is not null and w.deleted_at is null`,
    id: sql.ref('w.id'),
    scope: { projectId: sql.ref('w.project_id') },
  }),
  ending_token: sourceOf({
    permission: 'own_token:read',
    from: sql`user_tokens t`,
    where: (actor) => {
      const isShown = holdsAnywhere(actor, 'token:read')
        ? sql`true`
        : sql`t.user_id = ${actor.userId}`
      return sql`${within('t', actor)} and ${isShown} and ${isEnding}`
    },
    id: sql.ref('t.id'),
    addressedTo: sql.ref('t.user_id'),
  }),
}

/** Of a partition they come in the order in which they were queued. */
function isAfter({ workspaceId }: Actor, id: string): RawBuilder<unknown> {
  return sql`(e.created_at, e.id) > (
    select known.created_at, known.id from execution_requests known
     where known.workspace_id = ${workspaceId} and known.id = ${id})`
}
