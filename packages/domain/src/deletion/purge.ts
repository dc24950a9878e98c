import type { Tables } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { restorableSince } from '../common/restorable.ts'
import type { Domain } from '../domain.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { noteUnnamed } from '../runners/unnamed.ts'

type Table = keyof Tables

const ofRuns = sql`t.execution_request_id in (
  select r.id from execution_requests r
   where r.workspace_id = objective.workspace_id and r.objective_id = objective.id)`
const byObjective = sql`t.objective_id = objective.id`
const byMissionAndObjective = sql`t.mission_id = objective.mission_id and ${byObjective}`

/** What belongs to one objective, with how it is found; what refers to another stands before it. */
const ofObjective = {
  questions: byObjective,
  run_queue_entries: byObjective,
  attachments: byObjective,
  run_log_chunks: ofRuns,
  run_log_ends: ofRuns,
  run_logs: ofRuns,
  run_diffs: ofRuns,
  run_files: ofRuns,
  ledger_batches: byObjective,
  changed_files: byMissionAndObjective,
  change_rationales: byMissionAndObjective,
  artifacts: byObjective,
  deliveries: byObjective,
  agent_sessions: byObjective,
  mission_branches: byMissionAndObjective,
  execution_requests: byObjective,
} as const satisfies Partial<Record<Table, RawBuilder<unknown>>>

/** The same of the mission itself, once its objectives have gone. */
const ofMission = [
  'shared_state',
  'mission_words',
  'mission_branches',
  'reserved_branches',
  'artifacts',
  'mission_events',
  'objectives',
] as const satisfies Table[]

/** Kept for a time of their own, however long the rows that they are about are there. */
const keptApart = [
  'inbox_items',
  'entity_changes',
  'webhook_events',
  'webhook_attempts',
  'user_tokens',
] as const satisfies Table[]

/** Every table whose rows go with their mission or objective. */
export const goingAlong: readonly Table[] = [
  // the keys of an object literal are its key type; Object.keys only says string
  ...new Set([...(Object.keys(ofObjective) as Table[]), ...ofMission]),
]

/** Every table with rows about a mission, an objective or a run, so that none is left out. */
export const purged: readonly Table[] = [...goingAlong, ...keptApart]

const batch = 100
/** Before any id. */
const noId = '00000000-0000-0000-0000-000000000000'

/**
 * Takes away for good what was deleted and can be restored no more, the oldest first: an objective at a time, a mission
 * after its own. Answers how many went: while there are any, there may be more.
 */
export async function purgeDeleted(domain: Domain, most = batch): Promise<number> {
  const missions = await purgeOldest(domain, most, {
    select: (from) => sql<Gone>`
      select workspace_id, id, deleted_at::text as since from missions
       where deleted_at is not null and ${from} order by deleted_at, id limit ${most}`,
    purge: (mission) => purgeMission(domain, mission),
  })
  const alone = await purgeOldest(domain, most, {
    select: (from) => sql<Gone & InMission>`
      select workspace_id, id, mission_id, deleted_at::text as since from objectives
       where deleted_at is not null and not deleted_with_mission and ${from}
       order by deleted_at, id limit ${most}`,
    purge: (one) => purgeObjective(domain, one, (tx) => lockGone(tx, 'objectives', one)),
  })
  return missions + alone
}

type Key = Record<'workspace_id' | 'id', string>
type InMission = Key & { mission_id: string }

interface Gone extends Key {
  /** When it was deleted, to the microsecond. */
  since: string
}

interface Purging<G extends Gone> {
  /** The next after what was looked at so far. */
  select: (from: RawBuilder<unknown>) => RawBuilder<G>
  purge: (gone: G) => Promise<boolean>
}

/** What cannot be taken away keeps nothing behind it from going. */
async function purgeOldest<G extends Gone>(
  domain: Domain,
  most: number,
  { select, purge }: Purging<G>,
): Promise<number> {
  let purged = 0
  let last = { since: '-infinity', id: noId }
  for (;;) {
    const { rows } = await select(sql`deleted_at < ${restorableSince}
      and (deleted_at, id) > (${last.since}::timestamptz, ${last.id}::uuid)`).execute(domain.db)
    for (const gone of rows) {
      if (purged >= most) return purged
      last = gone
      try {
        if (await purge(gone)) purged += 1
      } catch (error) {
        const { id } = gone
        domain.log.error(
          { err: error, id },
          'what was deleted could not be purged; it is tried again',
        )
      }
    }
    if (rows.length < most) return purged
  }
}

/** False where it was restored, or another process takes it away or has. */
async function lockGone(
  tx: UnitOfWork,
  table: 'missions' | 'objectives',
  { workspace_id, id }: Key,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)}
     where workspace_id = ${workspace_id} and id = ${id} and deleted_at < ${restorableSince}
       for update skip locked`.execute(tx)
  return rows.length > 0
}

async function purgeMission(domain: Domain, mission: Gone): Promise<boolean> {
  const { workspace_id, id } = mission
  const objectives = await domain.db
    .selectFrom('objectives')
    .select(['workspace_id', 'id', 'mission_id'])
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .execute()
  const lock = (tx: UnitOfWork) => lockGone(tx, 'missions', mission)
  for (const objective of objectives) {
    if (!(await purgeObjective(domain, objective, lock))) return false
  }
  return inTransaction({ domain }, async (tx) => {
    if (!(await lock(tx))) return false
    const isOfMission = sql`t.workspace_id = ${workspace_id} and t.mission_id = ${id}`
    const runners = await runnersIn(tx, ['mission_branches', 'reserved_branches'], isOfMission)
    for (const table of ofMission) {
      await sql`
        delete from ${sql.table(table)}
         where workspace_id = ${workspace_id} and mission_id = ${id}`.execute(tx)
    }
    await sql`delete from missions where workspace_id = ${workspace_id} and id = ${id}`.execute(tx)
    await noteUnnamed(tx, workspace_id, runners)
    return true
  })
}

/** `lock` holds what was deleted, the objective or its mission, and says whether it still is. */
async function purgeObjective(
  domain: Domain,
  { workspace_id, id, mission_id }: InMission,
  lock: (tx: UnitOfWork) => Promise<boolean>,
): Promise<boolean> {
  const named = sql`(select ${workspace_id}::uuid as workspace_id, ${id}::uuid as id,
                            ${mission_id}::uuid as mission_id)`
  return inTransaction({ domain }, async (tx) => {
    if (!(await lock(tx))) return false
    // by the mission, too: in that order branches have an index
    const isOfObjective = sql`t.workspace_id = ${workspace_id} and t.mission_id = ${mission_id}
      and t.objective_id = ${id}`
    const runners = await runnersIn(tx, ['execution_requests', 'mission_branches'], isOfObjective)
    for (const [table, condition] of Object.entries(ofObjective)) {
      await sql`
        delete from ${sql.table(table)} t using ${named} objective
         where t.workspace_id = objective.workspace_id and ${condition}`.execute(tx)
    }
    await sql`delete from objectives where workspace_id = ${workspace_id} and id = ${id}`.execute(
      tx,
    )
    await noteUnnamed(tx, workspace_id, runners)
    return true
  })
}

/** Whom these rows name, before they go. */
async function runnersIn(
  tx: UnitOfWork,
  tables: readonly Table[],
  condition: RawBuilder<unknown>,
): Promise<string[]> {
  const ids = new Set<string>()
  for (const table of tables) {
    const { rows } = await sql<{ id: string }>`
      select distinct t.runner_id as id from ${sql.table(table)} t
       where ${condition} and t.runner_id is not null`.execute(tx)
    for (const row of rows) ids.add(row.id)
  }
  return [...ids]
}
