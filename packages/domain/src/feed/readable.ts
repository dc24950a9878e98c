import { feedEntities, type FeedEntity, feedEntityRow } from '@svc/contracts/feed'
import { type RawBuilder, sql } from 'kysely'
import { isAllowed, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { withinProjects } from '../notifications/list.ts'

/** A change that names no project is of the one of its mission. */
const projectId = sql`coalesce(project_id,
  (select m.project_id from missions m
    where m.workspace_id = entity_changes.workspace_id and m.id = entity_changes.mission_id))`
const missionId = sql`mission_id`

/** Over entity_changes: the caller may read what was changed, unless it is another person's alone. */
export function whereReadable(actor: Actor): RawBuilder<boolean> {
  const conditions = [sql`entity = any(${kindsFor(actor)})`, ...bounds(actor)]
  return sql`(${sql.join(conditions, sql` and `)})`
}

const rights = new WeakMap<Actor, string>()

/** The conditions of a reader as text: equal for two who may read the same, but for what is one person's alone. */
export function rightsOf({ db }: Domain, actor: Actor): string {
  const known = rights.get(actor)
  if (known !== undefined) return known
  const conditions = [whereReadable(actor), whereLogReadable(actor)].map((one) => one.compile(db))
  const text = JSON.stringify(conditions.map(({ sql: asked, parameters }) => [asked, parameters]))
  rights.set(actor, text)
  return text
}

// The keys of an object literal are its key type; Object.keys only says string.
const kinds = Object.keys(feedEntities) as FeedEntity[]

function kindsFor(actor: Actor): FeedEntity[] {
  return kinds.filter((kind) => {
    const { permission } = feedEntityRow(kind)
    return permission === undefined || isAllowed(actor, permission)
  })
}

/** What a token that is bound to projects or to an objective sees of each kind; nothing for any other. */
function bounds(actor: Actor): RawBuilder<boolean>[] {
  const { projectIds, objective } = actor.credential
  if (projectIds === null && objective === null) return []
  const visible = whereVisibleTo(actor, { projectId, missionId })
  const ofThis = objective && sql`(${visible} and data ->> 'objectiveId' = ${objective.id})`
  return [
    sql`case when entity = any(${kindsWith('ofWorkspace')}) then true
             when entity = 'notification' then ${withinProjects(actor)}
             when entity = any(${kindsWith('ofObjective')}) then ${ofThis ?? visible}
             else ${visible} end`,
  ]
}

function kindsWith(mark: 'ofWorkspace' | 'ofObjective'): FeedEntity[] {
  return kinds.filter((kind) => feedEntityRow(kind)[mark])
}

/** Over run_log_ends: the caller may read the log. */
export function whereLogReadable(actor: Actor): RawBuilder<boolean> {
  return whereVisibleTo(actor, {
    projectId: sql`project_id`,
    missionId,
    objectiveId: sql`objective_id`,
  })
}
