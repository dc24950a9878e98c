import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { isMissionDisplayId, isObjectiveDisplayId, isUuid } from '@svc/contracts/ids'
import type { Objective } from '@svc/contracts/objective'
import { objectiveStates } from '@svc/contracts/states'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure, usageFailure } from './output/failure.ts'
import { lastRuns } from './output/run-end.ts'

/** A run by its id, or the latest one of an objective by that one's display id. */
export async function requireRun(client: Client, ref: string): Promise<ExecutionRequest> {
  if (isUuid(ref)) {
    return (await client.call('getExecutionRequest', { id: ref })).executionRequest
  }
  if (isMissionDisplayId(ref)) return await onlyRunOf(client, ref)
  if (!isObjectiveDisplayId(ref)) {
    throw usageFailure(
      `${ref} names no run: give its UUID, or its objective's display id, as in web:12.k7qd.`,
    )
  }
  const answer = await client.call('listExecutionRequests', { objectiveId: ref, limit: 1 })
  const [latest] = answer.executionRequests
  if (latest) return latest
  const message = `${ref} was never launched: run svc launch ${ref} --agent <key>.`
  throw new CommandFailure('not_found', message, exitCode.notFound)
}

/** What runs in the mission, else what has run there, where that is one objective. */
async function onlyRunOf(client: Client, ref: string): Promise<ExecutionRequest> {
  const { objectives } = await client.call('getMission', { id: ref })
  const runs = await lastRuns(client, ref, objectives)
  const launched = objectives.filter(({ id }) => runs.has(id))
  const active = launched.filter(isActive)
  const { id } = onlyOne(ref, active.length > 0 ? active : launched, 'was launched')
  const run = runs.get(id)
  if (run) return run
  throw new CommandFailure('not_found', `${ref} has no run.`, exitCode.notFound)
}

/** The objective that is worked on now, where it is the only one of the mission. */
export async function activeObjectiveOf(client: Client, ref: string): Promise<Objective> {
  const { objectives } = await client.call('getMission', { id: ref })
  return onlyOne(ref, objectives.filter(isActive), 'is worked on')
}

function isActive({ state }: Pick<Objective, 'state'>): boolean {
  return objectiveStates[state].active
}

/** One is meant where there is no other. */
export function onlyOne<T extends { displayId: string }>(
  ref: string,
  found: readonly T[],
  what: string,
): T {
  const [only, ...others] = found
  if (only === undefined) {
    const none = `Nothing in ${ref} ${what}: see svc missions show ${ref}.`
    throw new CommandFailure('not_found', none, exitCode.notFound)
  }
  if (others.length === 0) return only
  const names = found.map(({ displayId }) => displayId).join(', ')
  throw new CommandFailure(
    'ambiguous_objective',
    `More than one objective of ${ref} ${what}: name one of ${names}.`,
    exitCode.conflict,
  )
}
