import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'

/** The output of the newest generation, from `offset` on. */
export async function getRunLog(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunLog'>,
): Promise<RouteOutput<'getRunLog'>> {
  const request = await requireRequest(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfRequest(request, input.id))
  const { rows } = await sql<{ start_offset: number; skipped: number; bytes: Buffer }>`
    select start_offset, skipped, bytes from (
      select start_offset, skipped, bytes,
             sum(octet_length(bytes)) over (order by start_offset) - octet_length(bytes) as before
        from run_log_chunks
       where workspace_id = ${actor.workspaceId} and execution_request_id = ${request.id}
         and generation = (select max(generation) from run_log_chunks
                            where workspace_id = ${actor.workspaceId}
                              and execution_request_id = ${request.id})
         and start_offset + octet_length(bytes) > ${input.offset}) chunk
     where before < ${limits.logChunkBytes}
     order by start_offset`.execute(domain.db)
  const parts: Buffer[] = []
  let size = 0
  let next = input.offset
  for (const chunk of rows) {
    if (size > 0 && size + chunk.bytes.length > limits.logChunkBytes) break
    const from = Math.max(0, input.offset - chunk.start_offset)
    if (chunk.skipped > 0 && from === 0) {
      parts.push(Buffer.from(`\n… ${chunk.skipped} bytes of output are not kept …\n`))
    }
    parts.push(chunk.bytes.subarray(from))
    size += chunk.bytes.length
    next = chunk.start_offset + chunk.bytes.length
  }
  return {
    bytes: Buffer.concat(parts),
    headers: {
      'x-svc-next-offset': String(next),
      // the machine of a lost run may never report its end; whoever follows it is not kept waiting
      'x-svc-ended': String(request.ended_at !== null || request.outcome === 'lost'),
    },
  }
}
