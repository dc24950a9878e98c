import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'
import { unpackLog } from './packed-log.ts'

/** Output that came in drops is read in more than one call. */
const mostChunks = 1_000

/**
 * The output of the newest generation, from `offset` on or its last `tail` bytes. What is not kept stands at the beginning of
 * an answer alone, so that the rest of it is output byte by byte.
 */
export async function getRunLog(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunLog'>,
): Promise<RouteOutput<'getRunLog'>> {
  const request = await requireRequest(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfRequest(request, input.id))
  const rows = await readChunks(domain, request, input)
  const [{ ends, asked: at } = { ends: 0, asked: input.offset }] = rows
  const chunks = rows.filter((row) => row.start_offset !== null)
  const begins = Math.max(at, chunks[0]?.start_offset ?? ends)
  const parts: Buffer[] = []
  let next = begins
  for (const { start_offset: start, bytes, raw_bytes: rawBytes } of chunks) {
    const left = input.bytes - (next - begins)
    if (start > next || left <= 0) break
    const raw = await unpackLog({ bytes, rawBytes })
    const part = raw.subarray(next - start, next - start + left)
    parts.push(part)
    next += part.length
  }
  const skipped = begins - at
  const gap = skipped > 0 ? [Buffer.from(`\n… ${skipped} bytes of output are not kept …\n`)] : []
  return {
    bytes: Buffer.concat([...gap, ...parts]),
    headers: {
      'x-svc-offset': String(begins),
      'x-svc-skipped': String(skipped),
      'x-svc-next-offset': String(next),
      'x-svc-length': String(ends),
      // the machine of a lost run may never report its end; whoever follows it is not kept waiting
      'x-svc-ended': String(request.ended_at !== null || request.outcome === 'lost'),
    },
  }
}

interface Chunk {
  ends: number
  asked: number
  start_offset: number
  raw_bytes: number | null
  bytes: Buffer
}
type Row = Chunk | (Pick<Chunk, 'ends' | 'asked'> & { start_offset: null })

/** The chunk that holds the first byte asked for, else the next one, and those behind it. None is read that is not shown. */
async function readChunks(
  { db }: Domain,
  { workspace_id, id }: Pick<ExecutionRequestRow, 'workspace_id' | 'id'>,
  { offset, tail, bytes }: RouteInput<'getRunLog'>,
): Promise<Row[]> {
  const asked = tail === undefined ? sql`${offset}::bigint` : sql`greatest(0, end_offset - ${tail})`
  const chunksOf = (generation: RawBuilder<unknown>) => sql`
    run_log_chunks where workspace_id = ${workspace_id} and execution_request_id = ${id}
                     and generation = ${generation}`
  const { rows } = await sql<Row>`
    with log as (
      select generation, end_offset as ends, ${asked} as asked from run_logs
       where workspace_id = ${workspace_id} and execution_request_id = ${id}
    ), first as (
      select log.*, coalesce(
               (select c.start_offset
                  from (select start_offset, coalesce(raw_bytes, octet_length(bytes)) as size
                          from ${chunksOf(sql`log.generation`)} and start_offset <= asked
                         order by start_offset desc limit 1) c
                 where c.start_offset + c.size > asked),
               (select start_offset from ${chunksOf(sql`log.generation`)} and start_offset > asked
                 order by start_offset limit 1)) as begins
        from log)
    select first.ends, first.asked, c.start_offset, c.raw_bytes, c.bytes
      from first
      left join lateral (
        select start_offset, raw_bytes, bytes from ${chunksOf(sql`first.generation`)}
           and start_offset >= first.begins
           and start_offset < greatest(first.begins, first.asked) + ${bytes}
         order by start_offset limit ${mostChunks}) c on true
     order by c.start_offset`.execute(db)
  return rows
}
