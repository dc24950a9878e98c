import { isServiceError } from '@svc/contracts/errors'
import type { FeedChange, FeedEvent } from '@svc/contracts/feed'
import { version } from '@svc/contracts/version'
import { sql } from 'kysely'
import { authenticateAgain } from '../people/access/authenticate-again.ts'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { translate } from '../common/database-failures.ts'
import type { UseCase } from '../use-case.ts'
import { channels } from '../jobs/wake-hub.ts'
import { type Cursor, formatCursor, isTooOld, parseCursor, startingNow } from './cursor.ts'
import { readLogEnds } from './read-logs.ts'
import { whereReadable } from './readable.ts'

interface Row {
  xid: string
  seq: number
  entity: FeedChange['entity']
  entity_id: string
  operation: string
  revision: number | null
  project_id: string | null
  mission_id: string | null
  data: Record<string, unknown>
  created_at: Date
  is_readable: boolean
  /** There may be changes after those that this page has passed. */
  is_more: boolean
}

const pageSize = 500
/** How many changes, of whatever, a page passes on its way to those that its reader may read. */
const passedAtOnce = 1_000
const recheckMs = 15_000
/** Of a run that prints without a pause a reader hears this often. */
const logsEveryMs = 1_000

interface Opening {
  missionId: string | null
  cursor: Cursor
  /** The cursor that was asked for is older than what is kept. */
  isReset: boolean
}

/**
 * Where it begins, and then every committed change once, in order of transaction, from after the cursor on; without one,
 * from now on. A change is sent only when no older transaction can still commit, so one that commits late is never
 * skipped. Decision 54. Where it begins is known, and a refusal thrown, before it is read.
 */
export async function openFeed(
  context: UseCase,
  actor: Actor,
  input: { missionId?: string | undefined; cursor?: string | undefined },
): Promise<AsyncGenerator<FeedEvent>> {
  const { domain } = context
  const missionId = await authorizeFeed(domain, actor, input.missionId)
  const now = await startingNow(domain)
  const asked = input.cursor === undefined ? undefined : parseCursor(input.cursor, now)
  const isReset = asked !== undefined && (await isTooOld(domain, asked))
  return readFeed(context, actor, { missionId, cursor: asked ?? now, isReset })
}

async function* readFeed(
  { domain, signal }: UseCase,
  actor: Actor,
  { missionId, cursor, isReset }: Opening,
): AsyncGenerator<FeedEvent> {
  // of a reset as well: whoever does not hear of that asks again from where it was
  yield { id: formatCursor(cursor), event: 'start', data: { version } }
  if (isReset) {
    cursor = await startingNow(domain)
    yield { id: formatCursor(cursor), event: 'reset', data: { reason: 'cursor_too_old' } }
  }
  using rights = watchRights(domain, actor)
  let logsDueAt = performance.now()
  while (!signal?.aborted) {
    let reader = await rights.look()
    if (!reader) return
    let rows = await readPage(domain, reader, missionId, cursor).catch(emptyWhileAway)
    if (rows.some((row) => row.entity === 'member' && row.entity_id === actor.userId)) {
      // the hint may be on its way still, and what was read may not be theirs any more
      reader = await rights.lookAgain()
      if (!reader) return
      rows = await readPage(domain, reader, missionId, cursor).catch(emptyWhileAway)
    }
    for (const row of rows) {
      cursor = { ...cursor, xid: row.xid, seq: row.seq }
      if (row.is_readable) yield { id: formatCursor(cursor), event: 'change', data: view(row) }
    }
    if (performance.now() >= logsDueAt) {
      logsDueAt = performance.now() + logsEveryMs
      const from = { missionId, after: cursor.logXid }
      const { ends, upTo } = await readLogEnds(domain, reader, from).catch(noLogsWhileAway(cursor))
      for (const { xid, data } of ends) {
        cursor = { ...cursor, logXid: xid }
        yield { id: formatCursor(cursor), event: 'log', data }
      }
      cursor = { ...cursor, logXid: upTo }
    }
    if (!rows.at(-1)?.is_more) await waitForMore(domain, logsDueAt, signal)
  }
}

function waitForMore(domain: Domain, logsDueAt: number, signal: AbortSignal | undefined) {
  const { wake, pollMs } = domain
  const early = logsDueAt - performance.now()
  const hints = [channels.changes, channels.access]
  // what hints at logs before they are due is looked for when they are
  if (early > 0) return wake.wait(hints, Math.min(pollMs, early), signal)
  return wake.wait([...hints, channels.logs], pollMs, signal)
}

/** A database that restarts ends no feed: it goes on from its cursor. */
function emptyWhileAway(error: unknown): [] {
  const reason = translate(error)
  if (isServiceError(reason) && reason.code === 'unavailable') return []
  throw reason
}

function noLogsWhileAway({ logXid }: Cursor) {
  return (error: unknown) => ({ ends: emptyWhileAway(error), upTo: logXid })
}

async function authorizeFeed(
  domain: Domain,
  actor: Actor,
  ref: string | undefined,
): Promise<string | null> {
  if (ref === undefined) {
    authorize(actor, 'mission:read')
    return null
  }
  const mission = await requireMission(domain.db, actor.workspaceId, ref)
  authorize(actor, 'mission:read', scopeOfMission(mission, ref))
  return mission.id
}

interface Rights extends Disposable {
  /** The reader with their rights as far as is known; nothing once they may not read at all. */
  look(): Promise<Actor | undefined>
  /** The same as of now, for whoever has reason to doubt them. */
  lookAgain(): Promise<Actor | undefined>
}

/** Rights may go while a feed is open: looked at as soon as a hint says so, and without one every 15 s. */
function watchRights(domain: Domain, actor: Actor): Rights {
  let checkedAt = performance.now()
  let isDoubted = false
  let reader: Actor | undefined = actor
  const hearing = domain.wake.listen(channels.access, (about) => {
    isDoubted ||= about.some((userId) => userId === actor.userId || userId === '')
  })
  const lookAgain = async () => {
    // what is hinted from here on is worth another look
    isDoubted = false
    checkedAt = performance.now()
    reader = await readAgain(domain, reader ?? actor)
    return reader
  }
  return {
    lookAgain,
    async look() {
      const isKnown = !isDoubted && performance.now() - checkedAt < recheckMs
      return isKnown ? reader : lookAgain()
    },
    [Symbol.dispose]: () => hearing[Symbol.dispose](),
  }
}

/** While the database is away nothing can be read either. */
async function readAgain(domain: Domain, actor: Actor): Promise<Actor | undefined> {
  try {
    const now = await authenticateAgain(domain.db, actor)
    return now.permissions.has('mission:read') ? now : undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    return error.code === 'unavailable' ? actor : undefined
  }
}

/** The last change that is passed comes whoever may read it: the next page goes on from there. */
async function readPage(
  domain: Domain,
  actor: Actor,
  missionId: string | null,
  cursor: Cursor,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with passed as materialized (
      select * from entity_changes
       where workspace_id = ${actor.workspaceId}
         and (xid, seq) > (${cursor.xid}::xid8, ${cursor.seq}::bigint)
         and xid < pg_snapshot_xmin(pg_current_snapshot())
         and ${missionId === null ? sql`true` : sql`mission_id = ${missionId}`}
       order by xid, seq limit ${passedAtOnce}),
    judged as (
      select *, ${whereReadable(actor)} as is_readable, lead(seq) over (order by xid, seq) as later,
             row_number() over (order by xid, seq) as place
        from passed as entity_changes),
    page as (
      select * from judged where is_readable or later is null order by place limit ${pageSize})
    select xid::text, seq, entity, entity_id, operation, revision, project_id, mission_id, data,
           created_at, is_readable, later is not null or place = ${passedAtOnce} as is_more
      from page order by place`.execute(domain.db)
  return rows
}

function view(row: Row): FeedChange {
  return {
    entity: row.entity,
    entityId: row.entity_id,
    operation: row.operation,
    revision: row.revision,
    projectId: row.project_id,
    missionId: row.mission_id,
    data: row.data,
    at: row.created_at.toISOString(),
  }
}
