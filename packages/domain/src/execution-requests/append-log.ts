import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { wakeAfterCommit } from '../commit/unit-of-work.ts'
import { channels } from '../jobs/wake-hub.ts'
import { authorizeReport } from './report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/**
 * Appends output at its offset. An offset already stored is a repeat and changes nothing; one beyond the end, save for
 * the bytes said to be skipped, is refused with the offset expected.
 */
export async function appendRunLog(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'appendRunLog'>,
): Promise<RouteOutput<'appendRunLog'>> {
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, input.id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, input['x-svc-lease'])
    const end = await endOffset(tx, request)
    const offset = input['x-svc-offset']
    const skipped = input['x-svc-skipped']
    if (offset < end || input.bytes.length === 0) return { nextOffset: end }
    await refuseIfFull(tx, request, input.bytes.length)
    if (offset !== end + skipped) {
      throw new ServiceError(
        'offset_mismatch',
        `The log ends at ${end}. Send the output from there, or say how much was skipped.`,
        { expected: end },
      )
    }
    const nextOffset = offset + input.bytes.length
    const { workspace_id, id, generation, project_id, mission_id, objective_id } = request
    await sql`
      with stored as (
        insert into run_log_chunks (workspace_id, execution_request_id, generation, start_offset,
                                    skipped, bytes)
        values (${workspace_id}, ${id}, ${generation}, ${offset}, ${skipped},
                ${Buffer.from(input.bytes)}))
      insert into run_log_ends (workspace_id, execution_request_id, project_id, mission_id,
                                objective_id, generation, end_offset)
      values (${workspace_id}, ${id}, ${project_id}, ${mission_id}, ${objective_id}, ${generation},
              ${nextOffset})
      on conflict (workspace_id, execution_request_id) do update
         set xid = excluded.xid, generation = excluded.generation,
             end_offset = excluded.end_offset, updated_at = excluded.updated_at`.execute(tx)
    wakeAfterCommit(tx, channels.logs)
    return { nextOffset }
  })
}

/** A runner keeps a few MiB of a run's output; what sends far more is none of ours. */
async function refuseIfFull(
  db: Queryable,
  request: ExecutionRequestRow,
  more: number,
): Promise<void> {
  const { rows } = await sql<{ kept: number }>`
    select coalesce(sum(octet_length(bytes)), 0)::bigint as kept from run_log_chunks
     where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
       and generation = ${request.generation}`.execute(db)
  if ((rows[0]?.kept ?? 0) + more <= limits.logBytes) return
  throw new ServiceError(
    'too_large',
    `A run keeps ${limits.logBytes / 1024 / 1024} MiB of output at most. Skip the rest.`,
  )
}

async function endOffset(db: Queryable, request: ExecutionRequestRow): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select start_offset + length(bytes) as next from run_log_chunks
     where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
       and generation = ${request.generation}
     order by start_offset desc limit 1`.execute(db)
  return rows[0]?.next ?? 0
}
