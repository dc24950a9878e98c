import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { WantedBranch } from '@svc/contracts/runner'
import type { ReservedBranch } from '@svc/contracts/assigned-branches'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import { requireMission } from '../entities/missions/queries.ts'
import type { UseCase } from '../use-case.ts'
import { selectBranches, viewAssignedBranches } from '../entities/branches/assigned.ts'

/**
 * Before a run cuts the mission's branch, or one next to it: the name that all runs of the mission know it by. Where none
 * is wanted, what is recorded in a resource that the run works in apart from its own.
 */
export async function reserveBranch(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reserveBranch'>,
): Promise<RouteOutput<'reserveBranch'>> {
  const { id, leaseToken, resourceKey, wanted } = input
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, leaseToken)
    const reserved = wanted && (await reserve(tx, request, resourceKey, wanted))
    const mission = await requireMission(tx, actor.workspaceId, request.mission_id)
    const { rows } = await selectBranches(request, resourceKey).execute(tx)
    return { branches: viewAssignedBranches(mission, request, rows), reserved }
  })
}

/** One write, so that of two that ask at once one gets the other's name. The same again changes nothing. */
async function reserve(
  tx: Tx,
  request: ExecutionRequestRow,
  resourceKey: string,
  { branch, follows, insteadOf }: WantedBranch,
): Promise<ReservedBranch> {
  const { workspace_id, project_id, mission_id, runner_id } = request
  const isReplaced = sql`known.branch = ${insteadOf}`
  const { rows } = await sql<{ branch: string; runner_id: string }>`
    insert into reserved_branches as known
      (workspace_id, mission_id, resource_key, follows, branch, runner_id)
    select pr.workspace_id, ${mission_id}::uuid, pr.resource_key, ${follows}, ${branch},
           ${runner_id}::uuid
      from project_resources pr
     where pr.workspace_id = ${workspace_id} and pr.project_id = ${project_id}
       and pr.resource_key = ${resourceKey}
    on conflict (workspace_id, mission_id, resource_key, follows) do update
       set branch = case when ${isReplaced} then excluded.branch else known.branch end,
           runner_id = case when ${isReplaced} then excluded.runner_id else known.runner_id end
    returning branch, runner_id`.execute(tx)
  const [reserved] = rows
  if (reserved === undefined) throw notFound('resource', resourceKey)
  return { branch: reserved.branch, runnerId: reserved.runner_id }
}
