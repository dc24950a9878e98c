import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { isObjectiveDisplayId, isUuid } from '@svc/contracts/ids'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure, usageFailure } from './output/failure.ts'

/** A run by its id, or the latest one of an objective by that one's display id. */
export async function requireRun(client: Client, ref: string): Promise<ExecutionRequest> {
  if (isUuid(ref)) {
    return (await client.call('getExecutionRequest', { id: ref })).executionRequest
  }
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
