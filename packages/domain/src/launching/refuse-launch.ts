import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow, ObjectiveRow, ProjectResourceRow } from '@svc/db/tables'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { refuseIfOverBudget } from '../entities/objectives/launch-budget.ts'
import {
  refuseIfBlank,
  refuseIfBusy,
  refuseIfNotLaunchable,
} from '../entities/objectives/launch-refusals.ts'
import { refuseIfReadOnly } from '../entities/objectives/launch-target.ts'

interface Launch {
  mission: MissionRecord
  objective: ObjectiveRow
  agent: string
  target: ProjectResourceRow | null
  /** The live request of the objective. */
  live: ExecutionRequestRow | undefined
  /** The active objectives of the mission. */
  active: readonly ObjectiveRow[]
}

/** What stands in the way of a launch, whichever runners there are, in the order of the specification. */
export async function refuseLaunch(
  db: Queryable,
  { mission, objective, agent, target, live, active }: Launch,
): Promise<void> {
  refuseIfBlank(mission, objective)
  refuseIfNotLaunchable(mission, objective, live)
  refuseIfBusy(mission, objective, active)
  // one that no runner took gives its place in the budget to what replaces it
  const replaces = live?.runner_id === null ? 1 : 0
  await refuseIfOverBudget(db, mission, { agent, replaces })
  refuseIfReadOnly(target)
}
