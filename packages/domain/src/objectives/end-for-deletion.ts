import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { Author } from '../commit/records.ts'
import { writeCollected } from '../commit/transaction.ts'
import { isWithoutProcess } from '../execution-requests/cancel.ts'
import { isActive } from '../lifecycle/states.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { type Work, cancelWork, lockWork } from './cancel.ts'
import type { ObjectiveInMission } from './queries.ts'
import { displayIdOf } from './views.ts'

export type Going = Work & { mission: MissionRecord }

/** What works on these objectives. The caller holds the locks of their missions. */
export async function lockGoing(
  tx: Tx,
  objectives: readonly ObjectiveInMission[],
): Promise<Going[]> {
  const works: Going[] = []
  for (const { mission, objective } of objectives) {
    if (isActive(objective.state)) works.push({ mission, ...(await lockWork(tx, objective)) })
  }
  return works
}

/**
 * What is queued is cancelled. What a runner or an agent has refuses, or it would work for nothing. Answers how many
 * were cancelled.
 */
export async function endForDeletion(
  tx: Tx,
  author: Author,
  works: readonly Going[],
): Promise<number> {
  refuseIfRunning(works)
  for (const work of works) await cancelWork(tx, author, work, 'deleted')
  writeCollected(tx)
  return works.length
}

/** It has to be ended before its objective can be deleted. */
export function isRunning({ request }: Going): boolean {
  return !request || !isWithoutProcess(request)
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
    `Nothing was deleted: ${named}. It is deleted once what runs has been called off and is over.`,
    { objectives },
    {
      next: {
        operation: 'cancelObjective',
        params: { id: displayIdOf(first.mission, first.objective) },
      },
    },
  )
}
