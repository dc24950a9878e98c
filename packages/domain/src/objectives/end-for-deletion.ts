import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Author } from '../commit/records.ts'
import { writeCollected } from '../commit/transaction.ts'
import { isWithoutProcess } from '../execution-requests/cancel.ts'
import { findSessionOf } from '../execution-requests/queries.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import { isActive, where } from '../lifecycle/states.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { selectUnendedSessions } from '../sessions/queries.ts'
import { type Work, cancelWork } from './cancel.ts'
import type { ObjectiveInMission } from './queries.ts'
import { displayIdOf } from './views.ts'

export type Going = Work & { mission: MissionRecord }

/** What works on these objectives, or may come back to one. The caller holds the missions' locks. */
export async function lockGoing(
  tx: Tx,
  objectives: readonly ObjectiveInMission[],
): Promise<Going[]> {
  const requests = await lockUnended(tx, objectives)
  const works: Going[] = []
  for (const { mission, objective } of objectives) {
    const request = requests.get(objective.id)
    if (!request && !isActive(objective.state)) continue
    const session = request
      ? await findSessionOf(tx, request)
      : await selectUnendedSessions(tx, objective).where('status', '!=', 'lost').executeTakeFirst()
    works.push({ mission, objective, request, session })
  }
  return works
}

/**
 * What is queued is cancelled, and a lost run comes back no more. What a runner or an agent has refuses, or it would
 * work for nothing. Answers how many were cancelled.
 */
export async function endForDeletion(
  tx: Tx,
  author: Author,
  works: readonly Going[],
): Promise<number> {
  refuseIfRunning(works)
  for (const work of works) await cancelWork(tx, author, work, 'deleted')
  await writeCollected(tx)
  return works.filter(({ request }) => !isLost(request)).length
}

/** It has to be ended before its objective can be deleted. */
export function isRunning({ request }: Pick<Work, 'request'>): boolean {
  return !request || !(isWithoutProcess(request) || isLost(request))
}

function isLost(request: ExecutionRequestRow | undefined): boolean {
  return request?.outcome === 'lost'
}

/** Of each objective the run that may still come to something. */
async function lockUnended(
  tx: Tx,
  objectives: readonly ObjectiveInMission[],
): Promise<ReadonlyMap<string, ExecutionRequestRow>> {
  const [first] = objectives
  if (!first) return new Map()
  const { rows } = await sql<{ id: string }>`
    select id from execution_requests
     where workspace_id = ${first.mission.workspace_id}
       and objective_id = any(${objectives.map(({ objective }) => objective.id)}::uuid[])
       and (${where.live()} or (status = 'launched' and outcome = 'lost' and ended_at is null))
     order by id`.execute(tx)
  const locked: ExecutionRequestRow[] = []
  for (const { id } of rows) locked.push(await lockRequest(tx, first.mission.workspace_id, id))
  return new Map(locked.map((request) => [request.objective_id, request]))
}

function refuseIfRunning(works: readonly Going[]): void {
  const running = works.filter(isRunning)
  const [first] = running
  if (!first) return
  const objectives = running.map(({ mission, objective, request }) => ({
    objectiveId: objective.id,
    displayId: displayIdOf(mission, objective),
    state: objective.state,
    executionRequestId: request?.id ?? null,
  }))
  const named = objectives.map(({ displayId, state }) => `${displayId} is ${state}`).join(', ')
  throw new ServiceError(
    'mission_active',
    `Nothing was deleted: ${named}. Cancel what runs, wait until it is over, and delete again.`,
    { objectives },
    {
      next: {
        operation: 'cancelObjective',
        params: { id: displayIdOf(first.mission, first.objective) },
      },
    },
  )
}
