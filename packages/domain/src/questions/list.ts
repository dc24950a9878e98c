import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { scopeOfObjective, requireObjective } from '../entities/objectives/queries.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { requireQuestion, scopeOfQuestion, selectQuestions } from '../entities/questions/queries.ts'
import { viewQuestion } from '../entities/questions/views.ts'

const accessColumnsOfQuestions = {
  projectId: sql`q.project_id`,
  missionId: sql`q.mission_id`,
  objectiveId: sql`q.objective_id`,
}

export async function getQuestion(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getQuestion'>,
): Promise<RouteOutput<'getQuestion'>> {
  const question = await requireQuestion(db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfQuestion(question))
  return { question: viewQuestion(question) }
}

/** Newest first. */
export async function listQuestions(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listQuestions'>,
): Promise<RouteOutput<'listQuestions'>> {
  authorize(actor, 'mission:read')
  const { db } = domain
  const conditions = [
    sql`q.workspace_id = ${actor.workspaceId}`,
    whereVisibleTo(actor, accessColumnsOfQuestions),
  ]
  if (input.missionId) {
    const mission = await requireMission(db, actor.workspaceId, input.missionId)
    authorize(actor, 'mission:read', scopeOfMission(mission, input.missionId))
    conditions.push(sql`q.mission_id = ${mission.id}`)
  }
  if (input.objectiveId) {
    const found = await requireObjective(db, actor.workspaceId, input.objectiveId)
    authorize(actor, 'mission:read', scopeOfObjective(found, input.objectiveId))
    conditions.push(sql`q.objective_id = ${found.objective.id}`)
  }
  if (input.ids) conditions.push(sql`q.id = any(${input.ids}::uuid[])`)
  // a literal, so that the index of the open ones is found
  if (input.status) conditions.push(sql`q.status = ${sql.lit(input.status)}`)
  const before = readCursor(input.cursor)
  if (before) conditions.push(sql`q.id < ${before}`)
  const { rows } = await selectQuestions(conditions, { limit: input.limit }).execute(db)
  const { items, nextCursor } = pageOfSized(rows, input.limit, (question) => question.id)
  return { questions: items.map(viewQuestion), ...nextCursor }
}
