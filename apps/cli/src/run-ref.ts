import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure } from './output/failure.ts'

/** A run by its id, or the latest one of an objective by that one's display id. */
export async function requireRun(client: Client, ref: string): Promise<ExecutionRequest> {
  if (!isObjectiveDisplayId(ref)) {
    return (await client.call('getExecutionRequest', { id: ref })).executionRequest
  }
  const answer = await client.call('listExecutionRequests', { objectiveId: ref, limit: 1 })
  const [latest] = answer.executionRequests
  if (latest) return latest
  const message = `${ref} was never launched: run svc launch ${ref} --agent <key>.`
  throw new CommandFailure('not_found', message, exitCode.notFound)
}
