import { instructionsForCommands } from '@svc/contracts/agent-instructions'
import type { MissionContext } from '@svc/contracts/context'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ObjectiveRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { selectArtifacts } from '../entities/artifacts/queries.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'
import { selectAttachments, viewAttachment } from '../entities/attachments/queries.ts'
import { selectDeliveryExcerpts, viewDeliveryExcerpt } from '../entities/deliveries/queries.ts'
import { notFound } from '../common/errors.ts'
import { selectHistoryExcerpt } from '../entities/missions/events.ts'
import { type MissionRecord, selectMissionEver } from '../entities/missions/queries.ts'
import { selectObjective } from '../entities/objectives/queries.ts'
import { viewMission, viewMissionEvent } from '../entities/missions/views.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { pageOfSized } from '../common/page.ts'
import { selectAsked } from '../entities/questions/queries.ts'
import { viewAsked } from '../entities/questions/views.ts'
import { selectProject } from '../entities/projects/queries.ts'
import { selectResources, viewResource } from '../entities/projects/resources.ts'
import { viewProject } from '../entities/projects/views.ts'
import { selectSharedState, viewSharedState } from '../entities/shared-state/queries.ts'
import { isStarted } from '../states/states.ts'
import { selectSurroundings } from './surroundings.ts'

const historyLength = 50
const listLength = 20
/** The bound of each list of texts. An agent reads all of it, and the mission is locked meanwhile. */
const mostBytes = 1024 * 1024

interface Seen {
  mission: MissionRecord
  current: ObjectiveRow | undefined
  /** The fingerprint of the machine that asks. */
  device: string | undefined
}

/**
 * Everything an agent or a briefing needs to know of the mission, seen from one objective of it. Both are read again with
 * the rest: an attach may have ended another run, and what that used counts in them.
 */
export async function buildContext(
  db: Queryable,
  actor: Actor,
  { mission, current, device }: Seen,
): Promise<MissionContext> {
  const { workspaceId, userId } = actor
  const projectId = mission.project_id
  const newest = { limit: listLength, most: mostBytes }
  const found = await gather(db, {
    missions: selectMissionEver(workspaceId, mission.id),
    current: selectObjective(db, workspaceId, current?.id ?? null),
    projects: selectProject(db, workspaceId, projectId),
    others: selectSurroundings(mission, current, mostBytes),
    history: selectHistoryExcerpt(db, mission, { limit: historyLength, most: mostBytes }),
    artifacts: selectArtifacts(db, mission, newest),
    deliveries: selectDeliveryExcerpts(mission, newest),
    attachments: selectAttachments(db, workspaceId, current?.id ?? null),
    sharedState: selectSharedState(db, mission),
    resources: selectResources({ workspaceId, projectId, userId, device }),
    questions: selectAsked(workspaceId, current, { limit: listLength, most: mostBytes }),
  })
  const [project] = found.projects
  if (!project) throw notFound('project', projectId)
  const [shown = mission] = found.missions
  const [working] = found.current
  const { others } = found
  const events = found.history.filter(({ ends }) => !ends)
  const history = pageOfSized(events, historyLength, idOf)
  const artifacts = pageOfSized(found.artifacts, listLength, idOf)
  const questions = pageOfSized(found.questions, listLength, idOf)
  const deliveries = pageOfSized(found.deliveries, listLength, idOf)
  return {
    mission: viewMission(shown),
    project: viewProject(project),
    currentObjective: working ? viewObjective(shown, working) : null,
    previousObjectives: others
      .filter((one) => isStarted(one.state))
      .map((one) => viewObjective(mission, one)),
    futureObjectives: others
      .filter((one) => !isStarted(one.state))
      .map((one) => viewObjective(mission, one)),
    history: history.items.toReversed().map(viewMissionEvent),
    deliveries: deliveries.items.map(viewDeliveryExcerpt),
    artifacts: artifacts.items.map(viewArtifact),
    questions: questions.items.toReversed().map(viewAsked),
    attachments: found.attachments.map(viewAttachment),
    sharedState: found.sharedState.map(viewSharedState),
    projectResources: found.resources.map(viewResource),
    agentInstructions: instructionsForCommands,
    truncated:
      [history, artifacts, deliveries, questions].some(({ hasMore }) => hasMore) ||
      events.length < found.history.length ||
      others.some(({ cut }) => cut),
  }
}

const idOf = ({ id }: { id: string }) => id
