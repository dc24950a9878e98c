import type { RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import type { UseCase } from '../use-case.ts'

export async function listRunners(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listRunners'>> {
  authorize(actor, 'project:read')
  return { runners: await listRunnerViews(domain.db, actor.workspaceId) }
}
