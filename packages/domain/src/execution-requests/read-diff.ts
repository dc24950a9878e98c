import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'

export async function getRunDiff(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunDiff'>,
): Promise<RouteOutput<'getRunDiff'>> {
  const request = await requireRequest(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfRequest(request, input.id))
  const row = await domain.db
    .selectFrom('run_diffs')
    .select('diff')
    .where('workspace_id', '=', actor.workspaceId)
    .where('execution_request_id', '=', request.id)
    .executeTakeFirst()
  if (!row) {
    throw new ServiceError(
      'not_found',
      `Run ${request.id} has uploaded no changes yet; they come when its agent has ended.`,
    )
  }
  return { diff: row.diff }
}
