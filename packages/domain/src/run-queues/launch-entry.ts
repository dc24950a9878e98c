import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import type { LaunchChoice } from '../objectives/launch-config.ts'
import { queueLaunch } from '../objectives/launch.ts'
import type { ObjectiveInMission } from '../objectives/queries.ts'

interface Order extends ObjectiveInMission {
  choice: LaunchChoice
  /** On whose behalf. */
  requestedBy: string
}

/** A launch like any other, which dispatches the entry of the objective. The caller holds its queue's lock too. */
export async function launchEntry(tx: Tx, order: Order): Promise<ExecutionRequestRow> {
  const launched = await queueLaunch(tx, { ...order, source: 'run_queue', fromQueue: true })
  return launched.request
}
