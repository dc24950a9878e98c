import { isClosed } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import type { ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../../common/actor.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { lockMission } from '../../lifecycle/locks.ts'
import { moveMission } from '../../lifecycle/move-mission.ts'
import { activeStates } from '../../states/states.ts'
import { endRuns } from '../../missions/close.ts'
import type { UseCase } from '../../use-case.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

interface Away {
  from: ProjectStatusRow
  to: ProjectStatusRow
}

const batch = 50

/** All missions of one status to another, a batch in a transaction. Answers how many went. */
export async function moveMissionsAway(
  context: UseCase,
  actor: Actor,
  away: Away,
): Promise<number> {
  const { db } = context.domain
  let moved = 0
  // those that may not go are tried first, while nothing has moved yet
  let ids = isClosed(away.to.type) ? await missionsAtWork(db, away) : []
  for (;;) {
    if (ids.length === 0) ids = await missionsIn(db, away).execute().then(idsOf)
    if (ids.length === 0) return moved
    const some = ids
    moved += await inTransaction(context, (tx) => moveBatch(tx, actor, away, some))
    ids = []
  }
}

function missionsIn(db: Queryable, { from }: Away) {
  return db
    .selectFrom('missions as m')
    .select('m.id')
    .where('m.workspace_id', '=', from.workspace_id)
    .where('m.project_id', '=', from.project_id)
    .where('m.status_id', '=', from.id)
    .where('m.deleted_at', 'is', null)
    .limit(batch)
}

/** Some of those with something queued or running. */
async function missionsAtWork(db: Queryable, away: Away): Promise<string[]> {
  const isAtWork = sql<boolean>`exists (
    select from objectives o
     where o.workspace_id = m.workspace_id and o.mission_id = m.id
       and o.state = any(${activeStates}))`
  return idsOf(await missionsIn(db, away).where(isAtWork).execute())
}

/** In the order in which they are locked. */
function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id).toSorted()
}

async function moveBatch(
  tx: UnitOfWork,
  actor: Actor,
  { from, to }: Away,
  ids: readonly string[],
): Promise<number> {
  const author = { userId: actor.userId, role: 'person' as const }
  const locked = []
  for (const id of ids) locked.push(await lockMission(tx, actor.workspaceId, id))
  const missions = locked.filter((mission) => mission.status_id === from.id)
  for (const mission of missions) {
    if (isClosed(to.type))
      await endRuns(tx, author, mission, { cancelRunning: false, statusId: to.id })
  }
  for (const mission of missions) {
    await moveMission(tx, 'move', { mission, author, chosenStatusId: to.id })
  }
  return missions.length
}
