import type { ObjectiveInput } from '@svc/contracts/objective'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { selectObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { lockMission, lockObjectiveOf } from '../lifecycle/locks.ts'
import { notStartedStates } from '../states/states.ts'
import type { UseCase } from '../use-case.ts'
import { insertObjectives, titleFrom } from './add.ts'
import { putFirst } from './reorder.ts'
import { edit } from './update.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/**
 * What is to be different becomes the next objective, for who did the work before. The blank one that an attach leaves
 * behind is filled in.
 */
export async function askForChanges(
  context: UseCase,
  actor: Actor,
  { id, instruction, resource_key }: RouteInput<'askForChanges'>,
): Promise<RouteOutput<'askForChanges'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'objective:create', scopeOfMission(mission, id))
    const blank = await selectObjectives(tx, mission)
      .where('state', 'in', notStartedStates)
      .where('blank', '=', true)
      .limit(1)
      .executeTakeFirst()
    const wanted = {
      title: titleFrom(instruction),
      instruction,
      ...(await likeLastRun(tx, mission)),
      ...(resource_key !== undefined && { resource_key }),
    }
    const next = blank
      ? await fillIn(tx, mission, blank, wanted)
      : await add(tx, actor, mission, wanted)
    const placed = await putFirst(tx, actor, mission, next)
    return { objective: viewObjective(mission, placed) }
  })
}

async function fillIn(
  tx: UnitOfWork,
  mission: MissionRecord,
  { id }: ObjectiveRow,
  wanted: ObjectiveInput,
): Promise<ObjectiveRow> {
  const blank = await lockObjectiveOf(tx, mission, id)
  if (!blank) throw notFound('objective', id)
  return await edit(tx, mission, blank, wanted)
}

async function add(
  tx: UnitOfWork,
  { userId }: Actor,
  mission: MissionRecord,
  wanted: ObjectiveInput,
): Promise<ObjectiveRow> {
  const [added] = await insertObjectives(tx, userId, mission, [wanted])
  if (!added) throw new Error('one objective is added for one that is asked for')
  return added
}

interface LastRun {
  agent: string
  resource_key: string | null
  model: string | null
  reasoning_effort: string | null
}

/** Whatever became of it. Its objective may have been deleted since. */
async function likeLastRun(
  tx: Tx,
  { workspace_id, id }: MissionRecord,
): Promise<Partial<ObjectiveInput>> {
  const { rows } = await sql<LastRun>`
    select r.agent, r.resource_key, o.model, o.reasoning_effort
      from execution_requests r
      left join objectives o on o.workspace_id = r.workspace_id and o.id = r.objective_id
                            and o.deleted_at is null
     where r.workspace_id = ${workspace_id} and r.mission_id = ${id}
     order by r.seq desc limit 1`.execute(tx)
  const [run] = rows
  if (!run) return {}
  return {
    assigned_agent: run.agent,
    ...(run.model !== null && { model: run.model }),
    ...(run.reasoning_effort !== null && { reasoning_effort: run.reasoning_effort }),
    ...(run.resource_key !== null && { resource_key: run.resource_key }),
  }
}
