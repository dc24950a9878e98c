import { limits } from '@svc/contracts/limits'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { connectedSeconds } from '../projects/resources.ts'

/** Whoever was heard of last comes first. */
export async function listRunnerViews(
  db: Queryable,
  workspaceId: string,
): Promise<RouteOutput<'listRunners'>['runners']> {
  const rows = await db
    .selectFrom('runners')
    .selectAll()
    .select(
      sql<boolean>`last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})`.as(
        'connected',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('last_heard_at', 'desc')
    .limit(limits.pageItemsMax)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    platform: row.platform,
    arch: row.arch,
    version: row.version,
    state: row.connected ? ('connected' as const) : ('unavailable' as const),
    lastHeardAt: row.last_heard_at.toISOString(),
    agents: row.agents.map((agent) => agent.key),
    heldAgents: row.held_agents,
    capacity: row.capacity,
  }))
}
