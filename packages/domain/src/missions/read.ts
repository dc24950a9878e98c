import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { sql } from 'kysely'
import { listShownObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { pageOf, readCursor } from '../common/page.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { listMatches } from './matches.ts'
import { searchMissionRecords } from '../entities/missions/search.ts'
import { viewMission } from '../entities/missions/views.ts'

export async function getMission(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getMission'>,
): Promise<RouteOutput<'getMission'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const objectives = await listShownObjectives(domain.db, mission, input.instructionCharacters)
  return {
    mission: viewMission(mission),
    objectives: objectives.map((objective) => viewObjective(mission, objective)),
  }
}

export async function listMissions(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listMissions'>,
): Promise<RouteOutput<'listMissions'>> {
  authorize(actor, 'mission:read')
  const project = input.projectId
    ? await requireProject(domain.db, actor.workspaceId, input.projectId)
    : undefined
  if (project && input.projectId) {
    authorize(actor, 'mission:read', scopeOfProject(project, input.projectId))
  }
  const rows = await searchMissionRecords(domain.db, {
    ...input,
    workspaceId: actor.workspaceId,
    visible: whereVisibleTo(actor, { projectId: sql`m.project_id`, missionId: sql`m.id` }),
    projectId: project?.id,
    before: readCursor(input.cursor),
    limit: input.limit + 1,
  })
  const { items, nextCursor } = pageOf(rows, input.limit, (mission) => mission.id)
  const { query, matches: areWanted } = input
  const matches = query && areWanted ? await listMatches(domain.db, items, query) : undefined
  return { missions: items.map(viewMission), ...(matches && { matches }), ...nextCursor }
}
