import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { authorizeReport } from './report.ts'
import { type PackedLog, packLog } from './packed-log.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/**
 * Appends output at its offset. An offset already stored is a repeat and changes nothing; one beyond the end, save for
 * the bytes said to be skipped, is refused with the offset expected. Without bytes it says alone what was skipped.
 */
export async function appendRunLog(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'appendRunLog'>,
): Promise<RouteOutput<'appendRunLog'>> {
  const offset = input['x-svc-offset']
  const skipped = input['x-svc-skipped']
  // before the run is locked
  const packed = await packLog(input.bytes)
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, input.id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, input['x-svc-lease'])
    const { end, kept } = await readEnd(tx, request)
    const says = input.bytes.length > 0 || skipped > 0
    const isRepeat = input.bytes.length > 0 ? offset < end : offset <= end
    if (!says || isRepeat) return { nextOffset: end }
    if (input.bytes.length > 0) refuseIfFull(kept + input.bytes.length, context.domain.logBytes)
    if (offset !== end + skipped) {
      throw new ServiceError(
        'offset_mismatch',
        `The log ends at ${end}. Send the output from there, or say how much was skipped.`,
        { expected: end },
      )
    }
    const nextOffset = offset + input.bytes.length
    await store(tx, request, { offset, skipped, packed, nextOffset })
    return { nextOffset }
  })
}

/** How far the output of this generation goes, and how much of it was taken in. */
async function readEnd(
  tx: UnitOfWork,
  { workspace_id, id, generation }: ExecutionRequestRow,
): Promise<{ end: number; kept: number }> {
  const row = await tx
    .selectFrom('run_logs')
    .select(['end_offset as end', 'kept_bytes as kept'])
    .where('workspace_id', '=', workspace_id)
    .where('execution_request_id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  return row ?? { end: 0, kept: 0 }
}

/** A runner is told how much a run keeps; what sends more is none of ours, or began under another setting. */
function refuseIfFull(kept: number, most: number): void {
  if (kept <= most) return
  throw new ServiceError(
    'too_large',
    `A run keeps ${Math.floor(most / 1024 / 1024)} MiB of output at most here (SVC_RUN_LOG_MIB). Skip the rest.`,
  )
}

interface Appended {
  offset: number
  skipped: number
  packed: PackedLog
  nextOffset: number
}

/** Where the output ends follows from its chunks; only what has none says it itself. */
async function store(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  { offset, skipped, packed, nextOffset }: Appended,
): Promise<void> {
  const { workspace_id, id, generation, project_id, mission_id, objective_id } = request
  const stored =
    nextOffset > offset
      ? sql`insert into run_log_chunks (workspace_id, execution_request_id, generation,
                                        start_offset, skipped, bytes, raw_bytes)
            values (${workspace_id}, ${id}, ${generation}, ${offset}, ${skipped}, ${packed.bytes},
                    ${packed.rawBytes})`
      : sql`insert into run_logs (workspace_id, execution_request_id, generation, end_offset, kept_bytes)
            values (${workspace_id}, ${id}, ${generation}, ${nextOffset}, 0)
            on conflict (workspace_id, execution_request_id) do update
               set generation = excluded.generation, end_offset = excluded.end_offset,
                   kept_bytes = case when run_logs.generation = excluded.generation
                                     then run_logs.kept_bytes else 0 end`
  await sql`
    with stored as (${stored})
    insert into run_log_ends (workspace_id, execution_request_id, project_id, mission_id,
                              objective_id, generation, end_offset)
    values (${workspace_id}, ${id}, ${project_id}, ${mission_id}, ${objective_id}, ${generation},
            ${nextOffset})
    on conflict (workspace_id, execution_request_id) do update
       set xid = excluded.xid, generation = excluded.generation,
           end_offset = excluded.end_offset, updated_at = excluded.updated_at`.execute(tx)
}
