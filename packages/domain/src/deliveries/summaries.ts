import type { ObjectiveRow } from '@svc/db/tables'
import type { ToolInput, ToolOutput } from '@svc/contracts/mcp/tools'
import type { Queryable } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { listFirstFileChanges } from '../entities/missions/file-changes.ts'
import { type MissionRecord, scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { readCursor } from '../common/page.ts'
import { requireScopedObjective } from '../entities/objectives/pin.ts'
import type { UseCase } from '../use-case.ts'
import { listDeliveryViews } from '../entities/deliveries/queries.ts'

const filesPerDelivery = 50

/** Newest first: what was delivered, with the objective that it completed and the files that changed for it. */
export async function listDeliverySummaries(
  { domain }: UseCase,
  actor: Actor,
  input: ToolInput<'svc_list_deliveries'>,
): Promise<ToolOutput<'svc_list_deliveries'>> {
  const { db } = domain
  const mission = await requireReadableMission(db, actor, input)
  const { items, nextCursor } = await listDeliveryViews(db, mission, {
    limit: input.limit,
    before: readCursor(input.cursor),
  })
  const ids = items.map((delivery) => delivery.objectiveId)
  const objectives = await listDelivered(db, mission, ids)
  const changes = await listFirstFileChanges(db, mission, ids, filesPerDelivery)
  const deliveries = items.map((delivery) => {
    const { id, objectiveId, createdAt, summary, report, artifacts, checks } = delivery
    const objective = objectives.find((one) => one.id === objectiveId)
    const fileChanges = changes
      .filter((change) => change.objectiveId === objectiveId)
      .map(({ objectiveId: _same, ...change }) => change)
    return {
      id,
      createdAt,
      summary,
      report,
      artifacts,
      checks,
      objective: objective ? viewLine(mission, objective) : null,
      fileChanges,
    }
  })
  return { deliveries, ...nextCursor }
}

/** An objective names its mission and narrows nothing. */
async function requireReadableMission(
  db: Queryable,
  actor: Actor,
  input: ToolInput<'svc_list_deliveries'>,
): Promise<MissionRecord> {
  if (input.objectiveId !== undefined) {
    const found = await requireScopedObjective(db, actor.workspaceId, input)
    authorize(actor, 'mission:read', scopeOfObjective(found, input.objectiveId))
    return found.mission
  }
  const ref = input.missionId ?? ''
  const mission = await requireMission(db, actor.workspaceId, ref)
  authorize(actor, 'mission:read', scopeOfMission(mission, ref))
  return mission
}

/** Deleted ones too: what was delivered stays. */
async function listDelivered(db: Queryable, mission: MissionRecord, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('objectives')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('id', 'in', ids)
    .execute()
}

function viewLine(mission: MissionRecord, objective: ObjectiveRow) {
  const { id, position, title, state } = objective
  return { id, displayId: displayIdOf(mission, objective), position, title, state }
}
