import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { makeMission } from '../missions/create.ts'
import { requireMission } from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import { listObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { type InboxItemRecord, lockItem, requireItem } from './queries.ts'
import { recordItemChange } from './record-change.ts'
import { viewInboxItem } from './views.ts'

type Input = RouteInput<'turnInboxItem'>
type Answer = RouteOutput<'turnInboxItem'>

/**
 * The item's title becomes the mission's, its text the first objective; and it is done. Both or neither: asked again,
 * it answers the mission that there is.
 */
export async function turnInboxItem(context: UseCase, actor: Actor, input: Input): Promise<Answer> {
  return inTransaction(context, async (tx) => {
    const project = await requireProject(tx, actor.workspaceId, input.projectId)
    authorize(actor, 'mission:create', scopeOfProject(project, input.projectId))
    const item = await lockItem(tx, actor, input.id)
    if (item.mission_id !== null) return whatItIs(tx, actor, item, project.id)
    const made = await makeMission(tx, actor, orderOf(item, input))
    await tx
      .updateTable('inbox_items')
      .set({
        mission_id: made.mission.id,
        done_at: item.done_at ?? sql<Date>`app.now()`,
        revision: item.revision + 1,
        updated_at: sql<Date>`app.now()`,
      })
      .where('workspace_id', '=', actor.workspaceId)
      .where('id', '=', item.id)
      .execute()
    const turned = await requireItem(tx, actor, item.id)
    recordItemChange(tx, turned, 'turn')
    return { inboxItem: viewInboxItem(turned), ...made, reused: false }
  })
}

function orderOf({ title, text }: InboxItemRecord, { projectId, priority }: Input) {
  const objectives = text?.trim() ? [{ instruction: text }] : []
  return {
    projectId,
    priority,
    title,
    objectives,
    auto_advance: false,
    allowParallelObjectives: false,
    useWorktrees: null,
  }
}

async function whatItIs(
  tx: Tx,
  actor: Actor,
  item: InboxItemRecord,
  projectId: string,
): Promise<Answer> {
  const inboxItem = viewInboxItem(item)
  if (inboxItem.mission === null)
    throw turnedAlready('a mission that is deleted or not yours to see')
  const mission = await requireMission(tx, actor.workspaceId, inboxItem.mission.id)
  if (mission.project_id !== projectId)
    throw turnedAlready(`mission ${inboxItem.mission.displayId}`)
  const objectives = await listObjectives(tx, mission)
  return {
    inboxItem,
    mission: viewMission(mission),
    objectives: objectives.map((objective) => viewObjective(mission, objective)),
    reused: true,
  }
}

function turnedAlready(into: string): ServiceError {
  return new ServiceError(
    'already_exists',
    `This item was turned into ${into} before. Note the task down anew to make another mission of it.`,
  )
}
