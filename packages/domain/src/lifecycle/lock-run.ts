import { isUuid } from '@svc/contracts/ids'
import { type Gathered, type Queries, gather } from '@svc/db/gather'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../common/errors.ts'
import { type Linked, selectLinked } from '../entities/execution-requests/views.ts'
import { type MissionRecord, findMission, selectMissionEver } from '../entities/missions/queries.ts'
import { type ObjectiveInMission, selectObjectiveId } from '../entities/objectives/queries.ts'
import { type Status, lockOrder } from '../commit/locks-held.ts'
import { where } from '../states/states.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** A request with all that its end may move, locked in the lock order and read after the locks. */
export interface Run {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow
  session: AgentSessionRow | undefined
}

/** Also of what was deleted: its run goes on until its end is reported. */
export async function lockRun(
  tx: UnitOfWork,
  workspaceId: string,
  requestId: string,
): Promise<Run & Pick<Locked, 'newest'> & { linked: Linked | undefined }> {
  const run = await lockRunWith(tx, workspaceId, requestId, {
    isDeletedToo: true,
    extraReads: ({ request }) => ({ linked: selectLinked(workspaceId, request) }),
  })
  return { ...run, linked: run.extraReads.linked[0] }
}

export async function lockRunWith<Q extends Queries>(
  tx: UnitOfWork,
  workspaceId: string,
  requestId: string,
  how: How<Q>,
): Promise<Run & Pick<Locked, 'newest'> & { extraReads: Gathered<Q> }> {
  const run = isUuid(requestId)
    ? await lockNamed(tx, workspaceId, ofRequest(workspaceId, requestId), how)
    : undefined
  if (!run?.request) throw notFound('execution request', requestId)
  return { ...run, request: run.request }
}

function ofRequest(workspaceId: string, id: string) {
  return sql`
    select mission_id, objective_id, id as request_id, null::uuid as session_id
      from execution_requests where workspace_id = ${workspaceId} and id = ${id}`
}

interface How<Q extends Queries> {
  /** Read with the rest, under the locks. */
  extraReads: (ids: NamedIds) => Q
  /** What was deleted is not there unless this says so. */
  isDeletedToo?: boolean
}

interface NamedObjective<Q extends Queries> extends How<Q> {
  ref: string
  /** A mission that is named in addition to the objective must be its own. */
  missionRef?: string | undefined
}

export async function lockMissionAndObjective(
  tx: UnitOfWork,
  workspaceId: string,
  ref: string,
  missionRef?: string,
): Promise<ObjectiveInMission> {
  const named = { ref, missionRef, extraReads: () => ({}) }
  const { mission, objective } = await lockObjectiveWith(tx, workspaceId, named)
  return { mission, objective }
}

export async function lockObjectiveWith<Q extends Queries>(
  tx: UnitOfWork,
  workspaceId: string,
  { ref, missionRef, extraReads }: NamedObjective<Q>,
): Promise<ObjectiveInMission & { extraReads: Gathered<Q> }> {
  const named = sql`
    select mission_id, id as objective_id, null::uuid as request_id, null::uuid as session_id
      from (${selectObjectiveId(tx, workspaceId, ref)}) as o`
  const run = await lockNamed(tx, workspaceId, named, { extraReads })
  if (!run) throw notFound('objective', ref)
  if (missionRef !== undefined) {
    const other = await findMission(tx, workspaceId, missionRef)
    if (other?.id !== run.mission.id) throw notFound('objective', ref)
  }
  return { mission: run.mission, objective: run.objective, extraReads: run.extraReads }
}

interface Known<Q extends Queries> extends How<Q> {
  workspaceId: string
  missionId: string
  objectiveId: string
  requestId?: string | null
  sessionId?: string
}

/** What is known of a run by its ids; undefined where mission or objective are not there. */
export async function lockKnown<Q extends Queries>(
  tx: UnitOfWork,
  known: Known<Q>,
): Promise<(Locked & { extraReads: Gathered<Q> }) | undefined> {
  const { workspaceId, missionId, objectiveId, requestId = null, sessionId = null } = known
  const named = sql`
    select ${missionId}::uuid as mission_id, ${objectiveId}::uuid as objective_id,
           ${requestId}::uuid as request_id, ${sessionId}::uuid as session_id`
  return lockNamed(tx, workspaceId, named, known)
}

/** A session of this user by the hash of its key, and all that its call may move. */
export async function lockSessionByKey<Q extends Queries>(
  tx: UnitOfWork,
  owner: { workspaceId: string; userId: string },
  keyHash: Buffer,
  how: How<Q>,
): Promise<(Locked & { extraReads: Gathered<Q> }) | undefined> {
  const named = sql`
    select mission_id, objective_id, execution_request_id as request_id, id as session_id
      from agent_sessions
     where workspace_id = ${owner.workspaceId} and user_id = ${owner.userId}
       and session_key_hash = ${keyHash}`
  return lockNamed(tx, owner.workspaceId, named, how)
}

/** The ids that a call names, as expressions for the extra reads of the statement; null for what is not there. */
export type NamedIds = Record<'project' | 'mission' | 'objective' | 'request', RawBuilder<string>>
type LockedIds = Record<'mission' | 'objective' | 'request' | 'session', string | null>

interface Locked {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
  /** The one that is named, else that of the request's present generation. */
  session: AgentSessionRow | undefined
  /** The objective's newest request, which makes those before it stale. */
  newest: ExecutionRequestRow | undefined
}

/**
 * All that is named, locked by one statement in the lock order and read by another: a statement sees what was there
 * when it began, which may be before it got its locks. Both find it by its names, so that they go out together.
 */
async function lockNamed<Q extends Queries>(
  tx: UnitOfWork,
  workspaceId: string,
  named: RawBuilder<unknown>,
  { extraReads, isDeletedToo = false }: How<Q>,
): Promise<(Locked & { extraReads: Gathered<Q> }) | undefined> {
  tx.locks.take('mission')
  const own = selectNamed(workspaceId)
  const placed = sql`
    select n.*, (select project_id from missions
                  where workspace_id = ${workspaceId} and id = n.mission_id) as project_id
      from (${named}) n`
  const [locked, found] = await Promise.all([
    lockAll(tx, workspaceId, named, isDeletedToo ? sql`true` : sql`x.deleted_at is null`),
    gather(tx, { ...extraReads(namedIds), ...own }, sql`named as materialized (${placed})`),
  ])
  for (const kind of lockOrder) if (locked[kind] !== null) tx.locks.take(kind)
  // the names are those of these two, which share none, and one statement reads them all
  const read = found as unknown as Gathered<typeof own> & Gathered<Q>
  const [mission] = read.lockedMissions
  const [objective] = read.lockedObjectives
  const [moment] = read.moments
  if (locked.objective === null || !mission || !objective || !moment) return undefined
  const othersStarted = new Map([[objective.id, read.startedOthers[0]?.count ?? 0]])
  tx.locks.keep({ now: new Date(moment.moment), statuses: read.statusesOfProject, othersStarted })
  return {
    mission,
    objective,
    request: locked.request === null ? undefined : read.lockedRequests[0],
    session: read.lockedSessions[0],
    newest: read.newerRequests[0] ?? read.lockedRequests[0],
    extraReads: read,
  }
}

/** Each part asks for the one before it. */
async function lockAll(
  tx: Tx,
  workspaceId: string,
  named: RawBuilder<unknown>,
  isThere: RawBuilder<unknown>,
): Promise<LockedIds> {
  const { rows } = await sql<LockedIds>`
    with named as materialized (${named}),
    m as materialized (
      select x.id from missions x
       where x.workspace_id = ${workspaceId} and x.id = (select mission_id from named)
         and ${isThere} for no key update of x),
    o as materialized (
      select x.id from objectives x
       where x.workspace_id = ${workspaceId} and x.id = (select objective_id from named)
         and x.mission_id = (select id from m) and ${isThere} for no key update of x),
    r as materialized (
      select x.id from execution_requests x
       where x.workspace_id = ${workspaceId} and x.id = (select request_id from named)
         and x.objective_id = (select id from o) for no key update of x),
    s as materialized (
      select x.id from agent_sessions x
       where x.workspace_id = ${workspaceId} and x.id = (select session_id from named)
         and x.objective_id = (select id from o) and (select count(*) from r) >= 0
         for no key update of x)
    select (select id from m) as mission, (select id from o) as objective,
           (select id from r) as request, (select id from s) as session`.execute(tx)
  const [locked] = rows
  if (!locked) throw new Error('this statement answers one row')
  return locked
}

const namedIds: NamedIds = {
  project: sql`(select project_id from named)`,
  mission: sql`(select mission_id from named)`,
  objective: sql`(select objective_id from named)`,
  request: sql`(select request_id from named)`,
}

function selectNamed(workspaceId: string) {
  const { project, mission, objective, request } = namedIds
  return {
    lockedMissions: selectMissionEver(workspaceId, mission),
    statusesOfProject: sql<Status>`
      select id, project_id, type, label from project_statuses
       where workspace_id = ${workspaceId} and project_id = ${project} order by position`,
    // that of the locks may lie as far back as they were waited for
    moments: sql<{ moment: string }>`select app.now() as moment`,
    startedOthers: sql<{ count: number }>`
      select count(*) from objectives
       where workspace_id = ${workspaceId} and mission_id = ${mission} and id <> ${objective}
         and position is not null and ${where.started()}`,
    lockedObjectives: sql<ObjectiveRow>`
      select * from objectives where workspace_id = ${workspaceId} and id = ${objective}`,
    lockedRequests: sql<ExecutionRequestRow>`
      select * from execution_requests
       where workspace_id = ${workspaceId} and id = ${request} and objective_id = ${objective}`,
    // mostly the one that is named, which is read already
    newerRequests: sql<ExecutionRequestRow>`
      select * from (
        select * from execution_requests
         where workspace_id = ${workspaceId} and objective_id = ${objective}
         order by seq desc limit 1) as newest
       where id is distinct from ${request}`,
    lockedSessions: sql<AgentSessionRow>`
      select * from agent_sessions
       where workspace_id = ${workspaceId} and objective_id = ${objective}
         and id = coalesce((select session_id from named), ${sessionOf(workspaceId, request)})`,
  }
}

/** The newest that is linked to the request's present generation. */
function sessionOf(workspaceId: string, request: RawBuilder<string>) {
  return sql`(
    select s.id from agent_sessions s
      join execution_requests r on r.workspace_id = s.workspace_id and r.id = s.execution_request_id
                               and r.generation = s.generation
     where r.workspace_id = ${workspaceId} and r.id = ${request}
     order by s.seq desc limit 1)`
}
