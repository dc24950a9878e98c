import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { moveRequest } from '../lifecycle/move-request.ts'
import { refuseIfBusy, refuseIfClosed } from '../entities/objectives/launch-refusals.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { listActive } from '../entities/objectives/queries.ts'
import { byService, recordEvent } from '../commit/records.ts'
import { followAttach } from '../run-queues/follow.ts'
import { findEntryOf } from '../run-queues/queries.ts'
import { savepoint } from '../commit/transaction.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Lost {
  mission: MissionRecord
  objective: ObjectiveRow
  request?: ExecutionRequestRow | undefined
}

interface Resumed {
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
  session: AgentSessionRow
}

/** A lost run that is heard of again goes on. Refused where another took the slot meanwhile, or the mission is closed. */
export async function resumeLost(
  tx: UnitOfWork,
  lost: Lost,
  session: AgentSessionRow,
): Promise<Resumed> {
  const { mission, objective } = lost
  if (objective.state !== 'executing') {
    refuseIfClosed(mission, objective)
    refuseIfBusy(mission, objective, await listActive(tx, mission))
  }
  const executing =
    objective.state === 'executing' ? objective : await resumeLostObjective(tx, mission, objective)
  const request =
    lost.request?.outcome === 'lost' ? moveRequest(tx, 'revive', lost.request) : lost.request
  const reopened = moveSession(tx, 'revive', session, {
    last_heard_at: tx.locks.now,
  })
  recordEvent(
    tx,
    byService,
    { objective },
    { type: 'session_revived', summary: 'The agent was heard of again and goes on' },
  )
  return { objective: executing, request, session: reopened }
}

async function resumeLostObjective(
  tx: UnitOfWork,
  mission: MissionRecord,
  objective: ObjectiveRow,
) {
  const { advances } = await followAttach(tx, objective, await findEntryOf(tx, objective))
  const set = { last_outcome: null, ...advances }
  return moveObjective(tx, 'revive', { mission, objective, set })
}

/** The same for a lease renewal, which is never refused: a run that cannot go on stays lost and may still deliver. */
export async function resumeLostRun(
  tx: UnitOfWork,
  lost: Lost,
  session: AgentSessionRow,
): Promise<Resumed | undefined> {
  if (session.status !== 'lost') return undefined
  const tried = await savepoint(tx, () => resumeLost(tx, lost, session))
  return tried.ok ? tried.value : undefined
}

/** A run whose process seemed gone while it waits for an answer, and that is heard of, goes on. */
export async function unpark(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
): Promise<ExecutionRequestRow> {
  return request.outcome === 'parked' ? moveRequest(tx, 'revive', request) : request
}
