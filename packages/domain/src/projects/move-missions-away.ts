import { isClosed } from '@svc/contracts/states'
import type { Queryable, Tx } from '@svc/db/database'
import type { ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { activeStates } from '../lifecycle/states.ts'
import { endRuns } from '../missions/close.ts'
import type { UseCase } from '../use-case.ts'

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
  let moved = 0
  for (;;) {
    const ids = await missionsIn(context.domain.db, away)
    if (ids.length === 0) return moved
    moved += await inTransaction(context, (tx) => moveBatch(tx, actor, away, ids))
  }
}

/** Those with something under way come first: where they may not go, nothing has moved yet. */
async function missionsIn(db: Queryable, { from }: Away): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from missions m
     where m.workspace_id = ${from.workspace_id} and m.project_id = ${from.project_id}
       and m.status_id = ${from.id} and m.deleted_at is null
     order by exists (select from objectives o
                       where o.workspace_id = m.workspace_id and o.mission_id = m.id
                         and o.state = any(${activeStates})) desc
     limit ${batch}`.execute(db)
  return rows.map(({ id }) => id).toSorted()
}

async function moveBatch(
  tx: Tx,
  actor: Actor,
  { from, to }: Away,
  ids: readonly string[],
): Promise<number> {
  const author = { userId: actor.userId, role: 'person' as const }
  const locked = []
  for (const id of ids) locked.push(await lockMission(tx, actor.workspaceId, id))
  const missions = locked.filter((mission) => mission.status_id === from.id)
  for (const mission of missions) {
    if (isClosed(to.type)) await endRuns(tx, author, mission, false)
  }
  for (const mission of missions) {
    await moveMission(tx, 'move', { mission, author, chosenStatusId: to.id })
  }
  return missions.length
}
