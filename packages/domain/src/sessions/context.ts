import type { MissionContext } from '@svc/contracts/context'
import type { Queryable } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../actor.ts'
import { agentInstructions } from '../agent-instructions.ts'
import { listArtifactRows } from '../artifacts/queries.ts'
import { viewArtifact } from '../artifacts/views.ts'
import { listDeliveryViews } from '../deliveries/queries.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { viewMission, viewMissionEvent } from '../missions/views.ts'
import { listObjectives } from '../objectives/queries.ts'
import { viewObjective } from '../objectives/views.ts'
import { requireProject } from '../projects/queries.ts'
import { listResources } from '../projects/resources.ts'
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
  const { workspaceId } = actor
  const project = await requireProject(db, workspaceId, mission.project_id)
  const others = (await listObjectives(db, mission)).filter((one) => one.id !== current?.id)
  const history = await listHistory(db, mission)
  const artifacts = await listArtifactRows(db, mission, { limit: artifactCount + 1 })
  const deliveries = await listDeliveryViews(db, mission, { limit: artifactCount })
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
    projectResources: await listResources(db, {
      workspaceId,
      projectId: project.id,
      userId: actor.userId,
      device,
    }),
    agentInstructions,
    truncated:
      history.length > historyLength ||
      artifacts.length > artifactCount ||
      deliveries.nextCursor.nextCursor !== undefined,
  }
}

function listHistory(db: Queryable, mission: MissionRecord) {
  return db
    .selectFrom('mission_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.workspace_id', '=', mission.workspace_id)
    .where('e.mission_id', '=', mission.id)
    .orderBy('e.id', 'desc')
    .limit(historyLength + 1)
    .execute()
}
