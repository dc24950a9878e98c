import type { FeedLog } from '@svc/contracts/feed'
import type { RunLogEndRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { isLater } from './cursor.ts'
import { type FeedReader, nameOf } from './feed-reader.ts'
import { together } from './read-together.ts'
import { whereLogReadable } from './readable.ts'

const pageSize = 500

interface LogEnd {
  xid: string
  data: FeedLog
}
interface LogEnds {
  ends: LogEnd[]
  upTo: string
  isMore: boolean
}

async function selectLogEnds(
  domain: Domain,
  { reader, missionId }: FeedReader,
  after: string,
): Promise<LogEnds> {
  const { rows } = await sql<{ up_to: string; row: Row | null }>`
    select snapshot.up_to, to_jsonb(grown) as row
      from (select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as up_to) snapshot
      left join lateral (
        select xid::text, execution_request_id, project_id, mission_id, objective_id, generation,
               end_offset, updated_at
          from run_log_ends
         where workspace_id = ${reader.workspaceId}
           and run_log_ends.xid > ${after}::xid8
           and run_log_ends.xid <= snapshot.up_to::xid8
           and ${missionId === null ? sql`true` : sql`mission_id = ${missionId}`}
           and ${whereLogReadable(reader)}
         order by run_log_ends.xid limit ${pageSize}) grown on true`.execute(domain.db)
  const ends = rows.flatMap(({ row }) => (row ? [{ xid: row.xid, data: view(row) }] : []))
  const isMore = ends.length === pageSize
  const last = isMore ? ends.at(-1)?.xid : undefined
  return { ends, upTo: last ?? rows[0]?.up_to ?? after, isMore }
}

const readOfAll = together({
  name: nameOf,
  earlier: (one: string, other: string) => (isLater(one, other) ? other : one),
  read: selectLogEnds,
})

/**
 * The logs that have grown after the transaction `after`, in the order in which they did. `upTo` is as far as has been
 * looked: no older transaction can still commit. Of a log that grows while this is read the next look has the end.
 */
export async function readLogEnds(domain: Domain, of: FeedReader, after: string): Promise<LogEnds> {
  const { ends, upTo, isMore } = await readOfAll(domain, of, after)
  return {
    isMore,
    ends: ends.filter(({ xid }) => isLater(xid, after)),
    upTo: isLater(upTo, after) ? upTo : after,
  }
}

/** As JSON has it. */
type Row = Omit<RunLogEndRow, 'workspace_id' | 'updated_at'> & { updated_at: string }

function view(row: Row): FeedLog {
  return {
    executionRequestId: row.execution_request_id,
    objectiveId: row.objective_id,
    missionId: row.mission_id,
    projectId: row.project_id,
    generation: row.generation,
    bytes: row.end_offset,
    at: new Date(row.updated_at).toISOString(),
  }
}
