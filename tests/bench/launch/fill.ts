/** Rows as the service would have written them, made by SQL because the service would take hours. */
import type { Database } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { agent } from './cycle.ts'

/** Where the missions go, and who made them. */
export interface Place {
  workspaceId: string
  projectId: string
  userId: string
}

const instruction =
  'Read what is there, change what must be changed, and run the tests before you deliver.'

export const config = JSON.stringify({
  agent: { value: agent, source: 'request' },
  model: { value: null, source: 'default' },
  reasoningEffort: { value: null, source: 'default' },
  preCommand: { value: null, source: 'default' },
  flags: { value: [], source: 'default' },
})

/** `counted.before` is the last sequence that the project has given away. */
export function counted({ workspaceId, projectId }: Place, count: number): RawBuilder<unknown> {
  return sql`counted as (
    update projects set mission_sequence = mission_sequence + ${count}
     where workspace_id = ${workspaceId} and id = ${projectId}
    returning mission_sequence - ${count} as before)`
}

export function missions(
  place: Place,
  status: string,
  source: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { workspaceId, projectId, userId } = place
  return sql`insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority,
                                   allow_parallel_objectives, created_by)
    select ${workspaceId}::uuid, mission, ${projectId}::uuid, sequence, 'Mission ' || sequence, s.id,
           'normal', true, ${userId}::uuid
      from ${source}, lateral (
        select id from project_statuses
         where workspace_id = ${workspaceId} and project_id = ${projectId} and type = ${status}
         order by position limit 1) s`
}

/** Missions of one objective that nobody has launched; answers the objectives. */
export async function fillDrafts(db: Database, place: Place, count: number): Promise<string[]> {
  const { workspaceId, userId } = place
  const { rows } = await sql<{ objective: string }>`
    with ${counted(place, count)},
    made as (select uuidv7() as mission, uuidv7() as objective, before + n as sequence
               from counted, generate_series(1, ${count}::int) n),
    m as (${missions(place, 'draft', sql`made`)}),
    o as (insert into objectives (workspace_id, id, mission_id, key, position, title, instruction,
                                  state, created_by)
          select ${workspaceId}::uuid, objective, mission, 'bnch', 1, 'Objective', ${instruction},
                 'draft', ${userId}::uuid from made)
    select objective from made`.execute(db)
  return rows.map((row) => row.objective)
}

/** Missions of 50 objectives each, all of them queued. */
export async function fillQueued(db: Database, place: Place, count: number): Promise<void> {
  const perMission = 50
  const { workspaceId, projectId, userId } = place
  for (let left = count; left > 0; left -= 50_000) {
    const many = Math.ceil(Math.min(left, 50_000) / perMission)
    await withoutChecks(
      db,
      sql`
      with ${counted(place, many)},
      parents as (select uuidv7() as mission, before + n as sequence
                    from counted, generate_series(1, ${many}::int) n),
      made as (select mission, n as position, uuidv7() as objective, uuidv7() as request
                 from parents, generate_series(1, ${perMission}::int) n),
      m as (${missions(place, 'execute', sql`parents`)}),
      o as (insert into objectives (workspace_id, id, mission_id, key, position, title, instruction,
                                    state, prior_state, assigned_agent, created_by)
            select ${workspaceId}::uuid, objective, mission, lpad(to_hex(position), 4, '0'), position,
                   'Objective', ${instruction}, 'launching', 'submitted', ${agent}, ${userId}::uuid
              from made)
      insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind,
                                      status, source, agent, config, requested_by)
      select ${workspaceId}::uuid, request, ${projectId}::uuid, mission, objective, 'run', 'queued',
             'api', ${agent}, ${config}::jsonb, ${userId}::uuid from made`,
    )
  }
}

/** Foreign keys hold by the way the rows are made; checking a million of them takes longer than writing them. */
export async function withoutChecks(db: Database, statement: RawBuilder<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await statement.execute(tx)
  })
}

export async function analyse(db: Database): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one)
    await sql`vacuum (analyze)`.execute(one)
    await sql`checkpoint`.execute(one)
    await sql`reset statement_timeout`.execute(one)
  })
}
