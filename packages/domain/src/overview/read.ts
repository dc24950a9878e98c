import type { MissionEvent } from '@svc/contracts/mission'
import type { ListedObjective } from '@svc/contracts/objective'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow, RunQueueRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize, isAllowed, whereVisibleTo } from '../access/authorize.ts'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized } from '../common/page.ts'
import { selectArtifacts } from '../entities/artifacts/queries.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'
import { listBranchRows, viewBranch } from '../entities/branches/recorded.ts'
import { listDeliveryViews } from '../entities/deliveries/queries.ts'
import { viewRequests } from '../entities/execution-requests/views.ts'
import { selectMissionEvents } from '../entities/missions/events.ts'
import { type MissionRecord, scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { viewMission, viewMissionEvent } from '../entities/missions/views.ts'
import { listShownObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { selectQuestions } from '../entities/questions/queries.ts'
import { viewQuestion } from '../entities/questions/views.ts'
import { viewQueues } from '../entities/run-queues/views.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import { adviseOnMission } from '../next-steps/overview.ts'
import type { UseCase } from '../use-case.ts'

const newest = 50
const most = 200

/** Each part is bounded, and found by an index that has it in this order. */
export async function getMissionOverview(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id, instructionCharacters }: RouteInput<'getMissionOverview'>,
): Promise<RouteOutput<'getMissionOverview'>> {
  const mission = await requireMission(db, actor.workspaceId, id)
  const scope = scopeOfMission(mission, id)
  authorize(actor, 'mission:read', scope)
  const seesProject = isAllowed(actor, 'project:read', scope)
  const [objectives, runs, questions, queues, deliveries, artifacts, branches, events, runners] =
    await Promise.all([
      objectivesOf(db, mission, instructionCharacters),
      runsOf(db, actor, mission),
      questionsOf(db, actor, mission),
      seesProject ? queuesOf(db, actor, mission) : [],
      listDeliveryViews(db, mission, { limit: newest }),
      artifactsOf(db, mission),
      listBranchRows(db, actor, { missionId: mission.id, limit: most }),
      eventsOf(db, mission),
      seesProject ? listRunnerViews(db, actor.workspaceId) : undefined,
    ])
  const known = {
    mission: viewMission(mission),
    objectives,
    executionRequests: runs,
    questions,
    queues,
    deliveries: deliveries.items,
    artifacts,
    branches: branches.map(viewBranch),
    events,
    runners,
  }
  return adviseOnMission(known, (step) => isOffered(actor, step))
}

async function objectivesOf(
  db: Queryable,
  mission: MissionRecord,
  characters: number | undefined,
): Promise<ListedObjective[]> {
  const objectives = await listShownObjectives(db, mission, characters)
  return objectives.map((objective) => viewObjective(mission, objective))
}

/** The newest, and the last one of each objective, however long ago that was. */
async function runsOf(db: Queryable, actor: Actor, { workspace_id, id }: MissionRecord) {
  const visible = whereVisibleTo(actor, {
    projectId: sql`e.project_id`,
    missionId: sql`e.mission_id`,
    objectiveId: sql`e.objective_id`,
  })
  const { rows } = await sql<ExecutionRequestRow>`
    with ids as materialized (
      (select r.id from execution_requests r
        where r.workspace_id = ${workspace_id} and r.mission_id = ${id}
        order by r.seq desc limit ${newest})
      union
      select l.id from objectives o
       cross join lateral (
         select r.id from execution_requests r
          where r.workspace_id = o.workspace_id and r.objective_id = o.id
          order by r.seq desc limit 1) l
       where o.workspace_id = ${workspace_id} and o.mission_id = ${id} and o.deleted_at is null)
    select e.* from ids join execution_requests e
      on e.workspace_id = ${workspace_id} and e.id = ids.id
     where ${visible} order by e.seq desc`.execute(db)
  return await viewRequests(db, actor, rows)
}

async function questionsOf(db: Queryable, actor: Actor, { workspace_id, id }: MissionRecord) {
  const conditions: RawBuilder<unknown>[] = [
    sql`q.workspace_id = ${workspace_id}`,
    sql`q.mission_id = ${id}`,
    whereVisibleTo(actor, {
      projectId: sql`q.project_id`,
      missionId: sql`q.mission_id`,
      objectiveId: sql`q.objective_id`,
    }),
  ]
  const { rows } = await selectQuestions(conditions, { limit: newest }).execute(db)
  return pageOfSized(rows, newest, (question) => question.id).items.map(viewQuestion)
}

/** Those that hold an objective of the mission, whole. */
async function queuesOf(db: Queryable, actor: Actor, { workspace_id, id }: MissionRecord) {
  const { rows } = await sql<RunQueueRow>`
    select q.* from run_queues q
     where q.workspace_id = ${workspace_id}
       and q.id in (select e.run_queue_id from run_queue_entries e
                     where e.workspace_id = ${workspace_id} and e.mission_id = ${id})
     order by q.position`.execute(db)
  return await viewQueues(db, actor, rows)
}

async function artifactsOf(db: Queryable, mission: MissionRecord) {
  const { rows } = await selectArtifacts(db, mission, { limit: most }).execute(db)
  return pageOfSized(rows, most, (artifact) => artifact.id).items.map(viewArtifact)
}

async function eventsOf(db: Queryable, mission: MissionRecord): Promise<MissionEvent[]> {
  const { rows } = await selectMissionEvents(db, mission, { limit: most }).execute(db)
  return pageOfSized(rows, most, (event) => event.id).items.map(viewMissionEvent)
}
