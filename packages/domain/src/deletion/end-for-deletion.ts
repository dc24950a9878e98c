import type { Author } from '../commit/records.ts'
import { isWithoutProcess } from '../execution-requests/cancel.ts'
import { isActive } from '../states/states.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { type Work, cancelWork, lockWork } from '../objectives/cancel.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export type Going = Work & { mission: MissionRecord }

/** What works on these objectives. The caller holds the locks of their missions. */
export async function lockGoing(
  tx: UnitOfWork,
  objectives: readonly ObjectiveInMission[],
): Promise<Going[]> {
  const works: Going[] = []
  for (const { mission, objective } of objectives) {
    if (isActive(objective.state)) works.push({ mission, ...(await lockWork(tx, objective)) })
  }
  return works
}

/** What is queued is cancelled, and what runs is told to end. Answers how many. */
export async function endForDeletion(
  tx: UnitOfWork,
  author: Author,
  works: readonly Going[],
): Promise<number> {
  for (const work of works) await cancelWork(tx, author, work, 'deleted')
  return works.length
}

/** What a runner or an agent has: its request, else the session of an agent that attached by itself. */
export function runOf({ request, session }: Going): string | undefined {
  if (request && isWithoutProcess(request)) return undefined
  return request?.id ?? session?.id
}
