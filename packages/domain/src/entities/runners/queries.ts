import { limits } from '@svc/contracts/limits'
import { isUuid } from '@svc/contracts/ids'
import type { Runner } from '@svc/contracts/runner'
import type { Queryable } from '@svc/db/database'
import type { RunnerRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../common/errors.ts'
import { connectedSeconds } from '../projects/resources.ts'

/** It was heard of within the time that makes it count as connected. */
export function isConnected(runners: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${runners}.last_heard_at`)} > app.now() - make_interval(secs => ${connectedSeconds})`
}

/** Whoever was heard of last comes first. */
export async function listRunnerViews(db: Queryable, workspaceId: string): Promise<Runner[]> {
  const rows = await db
    .selectFrom('runners')
    .selectAll()
    .select(isConnected('runners').as('connected'))
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('last_heard_at', 'desc')
    .limit(limits.pageItemsMax)
    .execute()
  return rows.map(viewRunner)
}

export function viewRunner(row: RunnerRow & { connected: boolean }): Runner {
  return {
    id: row.id,
    label: row.label,
    platform: row.platform,
    arch: row.arch,
    version: row.version,
    state: row.connected ? 'connected' : 'unavailable',
    lastHeardAt: row.last_heard_at.toISOString(),
    agents: row.agents.map((agent) => agent.key),
    heldAgents: row.held_agents,
    capacity: row.capacity,
  }
}

/** Removed or not. */
export async function requireRunner(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<RunnerRow> {
  const runner = isUuid(id)
    ? await db
        .selectFrom('runners')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!runner) throw notFound('runner', id)
  return runner
}
