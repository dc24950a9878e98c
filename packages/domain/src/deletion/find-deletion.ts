import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { NextStep } from '@svc/contracts/next-step'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { restorableUntil } from '../common/restorable.ts'
import { whereMissionEver } from '../entities/missions/queries.ts'
import { whereRestorable } from './restore-mission.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import { whereObjectiveEver } from '../entities/objectives/queries.ts'
import { hashSessionKey } from '../entities/sessions/queries.ts'

interface Named {
  missionId?: string | undefined
  objectiveId?: string | undefined
  sessionKey?: string | undefined
}

interface Deleted {
  project_slug: string
  sequence: number
  key: string
  mission_deleted_at: Date | null
  deleted_at: Date
}

/** The refusal that says so, where what the caller's own session worked on was deleted and can still be restored. */
export async function findDeletion(
  db: Queryable,
  actor: Actor,
  named: Named,
): Promise<ServiceError | undefined> {
  const columns = sql`p.slug as project_slug, m.sequence, o.key,
    m.deleted_at as mission_deleted_at, o.deleted_at`
  const row = await findDeleted<Deleted>(db, actor, named, columns)
  return row && refuse(row)
}

/** The caller's own session itself: a run that is being cancelled may still deliver. */
export function findSessionOfDeleted(
  db: Queryable,
  actor: Actor,
  named: Named,
): Promise<AgentSessionRow | undefined> {
  return findDeleted<AgentSessionRow>(db, actor, named, sql`s.*`)
}

/** Looks the deletion up by the newest session of the caller on what is named. */
async function findDeleted<Row>(
  db: Queryable,
  actor: Actor,
  named: Named,
  columns: RawBuilder<unknown>,
): Promise<Row | undefined> {
  const { workspaceId } = actor
  const condition = whereNamed(workspaceId, named)
  if (condition === undefined) return undefined
  const { missionId } = named
  const ofMission = missionId === undefined ? sql`true` : whereMissionEver(workspaceId, missionId)
  const within = {
    projectId: sql`m.project_id`,
    missionId: sql`m.id`,
    objectiveId: sql`o.id`,
  }
  const { rows } = await sql<Row>`
    select ${columns}
      from agent_sessions s
      join objectives o on o.workspace_id = s.workspace_id and o.id = s.objective_id
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where s.workspace_id = ${workspaceId} and s.user_id = ${actor.userId} and ${condition}
       and o.deleted_at is not null and ${whereRestorable('o')} and ${whereRestorable('m')}
       and ${ofMission} and ${whereVisibleTo(actor, within)}
     order by s.seq desc limit 1`.execute(db)
  return rows[0]
}

function whereNamed(
  workspaceId: string,
  { sessionKey, objectiveId }: Named,
): RawBuilder<unknown> | undefined {
  if (sessionKey !== undefined && !isObjectiveDisplayId(sessionKey)) {
    return sql`s.session_key_hash = ${hashSessionKey(sessionKey)}`
  }
  const ref = sessionKey ?? objectiveId
  return ref === undefined ? undefined : whereObjectiveEver(workspaceId, ref)
}

function refuse(row: Deleted): ServiceError {
  const missionId = displayIdOfMission(row)
  const objectiveId = `${missionId}.${row.key}`
  const isOfMission = row.mission_deleted_at !== null
  const [what, next]: [string, NextStep] = isOfMission
    ? [`Mission ${missionId}`, { operation: 'restoreMission', params: { id: missionId } }]
    : [`Objective ${objectiveId}`, { operation: 'restoreObjective', params: { id: objectiveId } }]
  const deletedAt = row.mission_deleted_at ?? row.deleted_at
  const until = restorableUntil(deletedAt)
  return new ServiceError(
    'not_found',
    `${what} was deleted at ${deletedAt.toISOString()}, so nothing more is to be done here; until ${until} it can be restored.`,
    { deletedAt: deletedAt.toISOString(), restorableUntil: until },
    { next },
  )
}
