import { limits } from '@svc/contracts/limits'
import type { RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { connectedSeconds } from '../entities/projects/resources.ts'
import type { UseCase } from '../use-case.ts'

export async function listRunners(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listRunners'>> {
  authorize(actor, 'project:read')
  const rows = await domain.db
    .selectFrom('runners')
    .selectAll()
    .select(
      sql<boolean>`last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})`.as(
        'connected',
      ),
    )
    .where('workspace_id', '=', actor.workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('last_heard_at', 'desc')
    .limit(limits.pageItemsMax)
    .execute()
  return {
    runners: rows.map((row) => ({
      id: row.id,
      label: row.label,
      platform: row.platform,
      arch: row.arch,
      version: row.version,
      state: row.connected ? ('connected' as const) : ('unavailable' as const),
      lastHeardAt: row.last_heard_at.toISOString(),
      agents: row.agents.map((agent) => agent.key),
      capacity: row.capacity,
    })),
  }
}
