import { gather } from '@svc/db/gather'
import type { ExecutionRequestRow } from '@svc/db/tables'
import type { LaunchChoice } from '../../entities/objectives/launch-config.ts'
import { queueLaunch, selectForLaunch } from '../../launching/launch.ts'
import type { ObjectiveInMission } from '../../entities/objectives/queries.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

interface Order extends ObjectiveInMission {
  choice: LaunchChoice
  /** On whose behalf. */
  requestedBy: string
}

/** A launch like any other, which dispatches the entry of the objective. The caller holds its queue's lock too. */
export async function launchEntry(tx: UnitOfWork, order: Order): Promise<ExecutionRequestRow> {
  const { workspace_id: workspaceId, project_id: project, id: mission } = order.mission
  const ids = { workspaceId, project, mission, objective: order.objective.id }
  const extraReads = await gather(tx, selectForLaunch(tx, ids))
  const launched = await queueLaunch(tx, {
    ...order,
    extraReads,
    source: 'run_queue',
    fromQueue: true,
  })
  return launched.request
}
