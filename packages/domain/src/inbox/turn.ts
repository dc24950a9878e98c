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
import { meansOf, sayMeans } from './means.ts'
import { type InboxItemRecord, lockItem, requireItem } from './queries.ts'
import { recordItemChange } from './record-change.ts'
import { viewInboxItem } from './views.ts'

type Input = RouteInput<'turnInboxItem'>
type Answer = RouteOutput<'turnInboxItem'>

/**
 * The item's title becomes the mission's and its text the first objective, where the call brings none of its own; and it is
 * done. Both or neither: asked again, it answers the mission that there is, and refuses to take what the call brings for it.
 */
export async function turnInboxItem(context: UseCase, actor: Actor, input: Input): Promise<Answer> {
  return inTransaction(context, async (tx) => {
    const project = await requireProject(tx, actor.workspaceId, input.projectId)
    authorize(actor, 'mission:create', scopeOfProject(project, input.projectId))
    const item = await lockItem(tx, actor, input.id)
    if (item.mission_id !== null)
      return whatItIs(tx, actor, item, { ...input, projectId: project.id })
    const made = await makeMission(tx, actor, orderOf(item, input))
    const turnedBy = await meansOf(tx, actor)
    await tx
      .updateTable('inbox_items')
      .set({
        mission_id: made.mission.id,
        turned_at: sql<Date>`app.now()`,
        turned_by: JSON.stringify(turnedBy),
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

function orderOf({ title, text }: InboxItemRecord, input: Input) {
  const ofText = text?.trim() ? [{ instruction: text }] : []
  return {
    projectId: input.projectId,
    priority: input.priority,
    title: input.title ?? title,
    objectives: input.objectives ?? ofText,
    auto_advance: false,
    allowParallelObjectives: false,
    useWorktrees: null,
  }
}

async function whatItIs(
  tx: Tx,
  actor: Actor,
  item: InboxItemRecord,
  { projectId, title, objectives: given }: Input,
): Promise<Answer> {
  const inboxItem = viewInboxItem(item)
  if (inboxItem.mission === null) throw turnedAlready(item)
  const mission = await requireMission(tx, actor.workspaceId, inboxItem.mission.id)
  const isOther = mission.project_id !== projectId || title !== undefined || given !== undefined
  if (isOther) throw turnedAlready(item, inboxItem.mission.displayId)
  const objectives = await listObjectives(tx, mission)
  return {
    inboxItem,
    mission: viewMission(mission),
    objectives: objectives.map((objective) => viewObjective(mission, objective)),
    reused: true,
  }
}

function turnedAlready({ turned_by }: InboxItemRecord, mission?: string): ServiceError {
  const what = mission ? `mission ${mission}` : 'a mission that is deleted or not yours to see'
  const byWhom = turned_by ? `, ${sayMeans(turned_by)}` : ''
  return new ServiceError(
    'already_exists',
    `This item was turned into ${what} before${byWhom}. Note the task down anew to make another mission of it.`,
    undefined,
    mission ? { next: { operation: 'getMission', params: { id: mission } } } : {},
  )
}
