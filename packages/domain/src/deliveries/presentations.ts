import type { AgentReport } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export const isComposing = sql<boolean>`report #>> '{presentation,status}' = 'composing'`

interface Key {
  workspaceId: string
  deliveryId: string
}

export interface Presentable {
  summary: string
  agentReport: AgentReport
}

/** Nothing where its presentation waits for no model any more. */
export async function findComposing(
  db: Queryable,
  { workspaceId, deliveryId }: Key,
): Promise<Presentable | undefined> {
  const { rows } = await sql<Presentable>`
    select summary, report -> 'agentReport' as "agentReport" from deliveries
     where workspace_id = ${workspaceId} and id = ${deliveryId} and ${isComposing}`.execute(db)
  return rows[0]
}

/** Ends the composing of one delivery: with this text, or with the one that it had all along. */
export function endComposing(
  tx: UnitOfWork,
  of: Key,
  markdown: string | undefined,
): Promise<number> {
  const { workspaceId, deliveryId } = of
  const which = sql`workspace_id = ${workspaceId} and id = ${deliveryId} and ${isComposing}`
  return settle(tx, which, markdown)
}

/** What waited for an hour is left as it was, a batch of them. Answers how many. */
export function endLongComposing(tx: UnitOfWork, batch: number): Promise<number> {
  const which = sql`
    ctid = any(array(
      select ctid from deliveries
       where ${isComposing} and created_at < app.now() - interval '1 hour'
       order by created_at limit ${batch} for update skip locked))`
  return settle(tx, which, undefined)
}

interface Settled {
  workspace_id: string
  project_id: string
  id: string
  mission_id: string
  objective_id: string
}

async function settle(
  tx: UnitOfWork,
  which: RawBuilder<unknown>,
  markdown: string | undefined,
): Promise<number> {
  const status = markdown === undefined ? 'deterministic' : 'composed'
  const presentation = JSON.stringify({ status, ...(markdown !== undefined && { markdown }) })
  const { rows } = await sql<Settled>`
    update deliveries
       set report = jsonb_set(report, '{presentation}', report -> 'presentation' || ${presentation}::jsonb)
     where ${which}
    returning workspace_id, id, mission_id, objective_id,
              (select project_id from missions m
                where m.workspace_id = deliveries.workspace_id and m.id = deliveries.mission_id)`.execute(
    tx,
  )
  for (const row of rows) {
    recordChange(tx, { delivery: row }, 'present', {
      objectiveId: row.objective_id,
      presentation: status,
    })
  }
  return rows.length
}
