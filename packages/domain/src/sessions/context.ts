import type { MissionContext } from '@svc/contracts/context'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../actor.ts'
import { agentInstructions } from '../agent-instructions.ts'
import { selectArtifacts } from '../artifacts/queries.ts'
import { viewArtifact } from '../artifacts/views.ts'
import { selectDeliveries, viewDeliveries } from '../deliveries/queries.ts'
import { notFound } from '../errors.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { viewMission, viewMissionEvent } from '../missions/views.ts'
import { selectObjectives } from '../objectives/queries.ts'
import { viewObjective } from '../objectives/views.ts'
import { selectProject } from '../projects/queries.ts'
import { selectResources, viewResource } from '../projects/resources.ts'
import { viewProject } from '../projects/views.ts'
import { isStarted } from '../lifecycle/states.ts'

const historyLength = 50
const artifactCount = 20

interface Seen {
  mission: MissionRecord
  current: ObjectiveRow | undefined
  /** Of the machine that asks. */
  device: string | undefined
}

/** Everything an agent or a briefing needs to know of the mission, seen from one objective of it. */
export async function buildContext(
  db: Queryable,
  actor: Actor,
  { mission, current, device }: Seen,
): Promise<MissionContext> {
  const { workspaceId, userId } = actor
  const projectId = mission.project_id
  const page = { limit: artifactCount }
  const found = await gather(db, {
    projects: selectProject(db, workspaceId, projectId),
    objectives: selectObjectives(db, mission),
    history: selectHistory(db, mission),
    artifacts: selectArtifacts(db, mission, { limit: artifactCount + 1 }),
    deliveries: selectDeliveries(mission, page),
    resources: selectResources({ workspaceId, projectId, userId, device }),
  })
  const [project] = found.projects
  if (!project) throw notFound('project', projectId)
  const others = found.objectives.filter((one) => one.id !== current?.id)
  const { history, artifacts } = found
  const deliveries = viewDeliveries(found.deliveries, page)
  return {
    mission: viewMission(mission),
    project: viewProject(project),
    currentObjective: current ? viewObjective(mission, current) : null,
    previousObjectives: others
      .filter((one) => isStarted(one.state))
      .map((one) => viewObjective(mission, one)),
    futureObjectives: others
      .filter((one) => !isStarted(one.state))
      .map((one) => viewObjective(mission, one)),
    history: history.slice(0, historyLength).toReversed().map(viewMissionEvent),
    deliveries: deliveries.items,
    artifacts: artifacts.slice(0, artifactCount).map(viewArtifact),
    attachments: [],
    sharedState: [],
    projectResources: found.resources.map(viewResource),
    agentInstructions,
    truncated:
      history.length > historyLength || artifacts.length > artifactCount || deliveries.hasMore,
  }
}

function selectHistory(db: Queryable, mission: MissionRecord) {
  return db
    .selectFrom('mission_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.workspace_id', '=', mission.workspace_id)
    .where('e.mission_id', '=', mission.id)
    .orderBy('e.id', 'desc')
    .limit(historyLength + 1)
}
