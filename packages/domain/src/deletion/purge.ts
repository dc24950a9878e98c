import { limits } from '@svc/contracts/limits'
import type { Tables } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
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

/** Takes away for good what was deleted and can be restored no more: an objective at a time, a mission after its own. */
export async function purgeDeleted(domain: Domain): Promise<void> {
  const isGone = sql`deleted_at < app.now() - make_interval(days => ${limits.restorableDays})`
  const { rows: missions } = await sql<Gone>`
    select workspace_id, id from missions
     where deleted_at is not null and ${isGone} order by deleted_at limit ${batch}`.execute(
    domain.db,
  )
  for (const mission of missions)
    await guarded(domain, mission, () => purgeMission(domain, mission))
  const { rows: alone } = await sql<GoneObjective>`
    select workspace_id, id, mission_id from objectives
     where deleted_at is not null and not deleted_with_mission and ${isGone}
     order by deleted_at limit ${batch}`.execute(domain.db)
  for (const one of alone) await guarded(domain, one, () => purgeObjective(domain, one))
}

interface Gone {
  workspace_id: string
  id: string
}
interface GoneObjective extends Gone {
  mission_id: string
}

/** What cannot be taken away must not keep the rest from it. */
async function guarded(domain: Domain, { id }: Gone, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    domain.log.error({ err: error, id }, 'what was deleted could not be purged; it is tried again')
  }
}

async function purgeMission(domain: Domain, { workspace_id, id }: Gone): Promise<void> {
  const objectives = await domain.db
    .selectFrom('objectives')
    .select(['workspace_id', 'id', 'mission_id'])
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .execute()
  for (const objective of objectives) await purgeObjective(domain, objective)
  await inTransaction({ domain }, async (tx) => {
    const isOfMission = sql`t.workspace_id = ${workspace_id} and t.mission_id = ${id}`
    const runners = await runnersIn(tx, ['mission_branches', 'reserved_branches'], isOfMission)
    for (const table of ofMission) {
      await sql`
        delete from ${sql.table(table)}
         where workspace_id = ${workspace_id} and mission_id = ${id}`.execute(tx)
    }
    await sql`delete from missions where workspace_id = ${workspace_id} and id = ${id}`.execute(tx)
    await noteUnnamed(tx, workspace_id, runners)
  })
}

async function purgeObjective(domain: Domain, objective: GoneObjective): Promise<void> {
  const { workspace_id, id, mission_id } = objective
  const named = sql`(select ${workspace_id}::uuid as workspace_id, ${id}::uuid as id,
                            ${mission_id}::uuid as mission_id)`
  await inTransaction({ domain }, async (tx) => {
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
