import type { CardBadge } from '@svc/contracts/board'
import { limits } from '@svc/contracts/limits'
import type { ObjectiveRow, ProjectRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { where } from '../states/states.ts'

type Of = Pick<Actor, 'workspaceId'> & { projectId: string }

/** The missions of which each holds, by indexes of what is open; in the order in which a badge is chosen. */
const sets: Readonly<Record<CardBadge, (of: Of) => RawBuilder<unknown>>> = {
  waits: ({ workspaceId, projectId }) => sql`
    select q.mission_id from questions q
     where q.workspace_id = ${workspaceId} and q.status = 'open' and q.project_id = ${projectId}`,
  awaits_approval: ({ workspaceId }) => needing(workspaceId, 'awaiting_approval'),
  failed: ({ workspaceId }) => needing(workspaceId, 'stopped'),
  // what somebody launched, and agents that came by themselves
  running: ({ workspaceId, projectId }) => sql`
    select e.mission_id from execution_requests e
     where e.workspace_id = ${workspaceId} and ${where.held('e')} and not ${where.over('e')}
       and e.project_id = ${projectId}
    union all
    select s.mission_id from agent_sessions s
     where s.workspace_id = ${workspaceId} and ${where.watched('s')} and s.execution_request_id is null`,
  queued: ({ workspaceId, projectId }) => sql`
    select e.mission_id from execution_requests e
     where e.workspace_id = ${workspaceId} and e.project_id = ${projectId} and e.status = 'queued'`,
}

function needing(workspaceId: string, need: NonNullable<ObjectiveRow['need']>) {
  return sql`select o.mission_id from objectives o
              where o.workspace_id = ${workspaceId} and o.need = ${sql.lit(need)}`
}

/** Over `m`, missions: the one badge of its card is this. */
export function hasBadge(
  badge: CardBadge,
  { workspaceId }: Actor,
  { id: projectId }: ProjectRow,
): RawBuilder<unknown> {
  const found = (kind: CardBadge) => sql`
    select found.mission_id from (${sets[kind]({ workspaceId, projectId })}) as found
     limit ${limits.countedMissions}`
  // the keys of an object literal are those of its type
  const kinds = Object.keys(sets) as CardBadge[]
  const before = kinds.slice(0, kinds.indexOf(badge))
  // an array finds each by its key; of the others a plan makes a table to look into
  const isNone = before.map((kind) => sql`m.id not in (${found(kind)})`)
  return sql.join([sql`m.id = any(array(${found(badge)}))`, ...isNone], sql` and `)
}
