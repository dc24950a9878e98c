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
import { beat, channels } from '../jobs/wake-hub.ts'
import {
  type Cursor,
  type Place,
  earlierOf,
  formatCursor,
  isAfter,
  isTooOld,
  parseCursor,
  startingNow,
} from './cursor.ts'
import { type FeedReader, nameOf } from './feed-reader.ts'
import { readLogEnds } from './read-logs.ts'
import { whereReadable } from './readable.ts'
import { together } from './read-together.ts'

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
  /** Of one person, and nobody else's business. */
  user_id: string | null
  is_readable: boolean
  is_more: boolean
}

interface Page {
  rows: Row[]
  /** There may be changes after those that this page has passed. */
  isMore: boolean
}

const pageSize = 500
/** How many changes, of whatever, a page passes on its way to those that its reader may read. */
const passedAtOnce = 1_000
const recheckMs = 15_000
/** Of a run that prints without a pause a reader hears this often: with each beat of a second, which may come early. */
const logsEveryMs = 1_000
const beatIsEarlyMs = 100
/** Who took so long has more to catch up with than others. */
const slowReaderMs = 1_000

interface Opening {
  missionId: string | null
  cursor: Cursor
  /** Where it begins in the place of a cursor that is older than what is kept. */
  resetTo: Cursor | undefined
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
  const resetTo = isReset ? now : undefined
  return readFeed(context, actor, { missionId, cursor: asked ?? now, resetTo })
}

async function* readFeed(
  { domain, signal }: UseCase,
  actor: Actor,
  { missionId, cursor, resetTo }: Opening,
): AsyncGenerator<FeedEvent> {
  // of a reset as well: whoever does not hear of that asks again from where it was
  yield { id: formatCursor(cursor), event: 'start', data: { version } }
  if (resetTo) {
    cursor = resetTo
    yield { id: formatCursor(cursor), event: 'reset', data: { reason: 'cursor_too_old' } }
  }
  using rights = watchRights(domain, actor)
  const logs = watchLogs(domain)
  let isHinted = false
  using _hearing = domain.wake.listen(channels.changes, () => (isHinted = true))
  let isBehind = true
  while (!signal?.aborted) {
    const wokenAt = performance.now()
    // what is hinted from here on may come too late for what is read now
    isHinted = false
    let reader = await rights.look()
    if (reader === undefined) return
    const read = async (by: Actor | 'unknown') => {
      if (by === 'unknown') return undefined
      const apart = isBehind ? `${cursor.xid}.${cursor.seq}` : undefined
      return readPage(domain, { reader: by, missionId, apart }, cursor).catch(unlessAway(undefined))
    }
    let page = await read(reader)
    if (page?.rows.some((row) => row.entity === 'member' && row.entity_id === actor.userId)) {
      // the hint may be on its way still, and what was read may not be theirs any more
      reader = await rights.lookAgain()
      if (reader === undefined) return
      page = await read(reader)
    }
    if (page === undefined) {
      await waitForMore(domain, signal)
      continue
    }
    for (const row of page.rows) {
      cursor = { ...cursor, xid: row.xid, seq: row.seq }
      const isTheirs = row.user_id === null || row.user_id === actor.userId
      if (row.is_readable && isTheirs) {
        yield { id: formatCursor(cursor), event: 'change', data: view(row) }
      }
    }
    const isSlow = performance.now() - wokenAt > slowReaderMs
    // whoever was slow may have lost rights meanwhile
    const logReader = await rights.look()
    if (logReader === undefined) return
    if (logReader !== 'unknown' && logs.areDue(wokenAt)) {
      const of = { reader: logReader, missionId }
      const { ends, upTo } = await logs.read(of, cursor.logXid, isSlow)
      for (const { xid, data } of ends) {
        cursor = { ...cursor, logXid: xid }
        yield { id: formatCursor(cursor), event: 'log', data }
      }
      cursor = { ...cursor, logXid: upTo }
    }
    isBehind = page.isMore || performance.now() - wokenAt > slowReaderMs
    if (!isBehind && !isHinted) await waitForMore(domain, signal)
  }
}

/** Until there may be changes, rights that have gone, or logs that are due. A beat that is over ends no wait for good. */
function waitForMore({ wake, pollMs }: Domain, signal: AbortSignal | undefined): Promise<void> {
  return wake.wait([channels.changes, channels.access, beat], 2 * pollMs, signal)
}

interface Logs {
  /** Once, each time that they are. */
  areDue(now: number): boolean
  read(of: FeedReader, after: string, isSlow: boolean): ReturnType<typeof readLogEnds>
}

function watchLogs(domain: Domain): Logs {
  let dueAt = 0
  let isBehind = true
  return {
    areDue(now) {
      if (now < dueAt) return false
      dueAt = now + logsEveryMs - beatIsEarlyMs
      return true
    },
    async read(of, after, isSlow) {
      const apart = isBehind || isSlow ? after : undefined
      const whileAway = { ends: [], upTo: after, isMore: isBehind }
      const found = await readLogEnds(domain, { ...of, apart }, after).catch(unlessAway(whileAway))
      isBehind = found.isMore
      return found
    },
  }
}

/** A database that restarts ends no feed: it goes on from its cursor. */
function unlessAway<Nothing>(nothing: Nothing): (error: unknown) => Nothing {
  return (error) => {
    const reason = translate(error)
    if (isServiceError(reason) && reason.code === 'unavailable') return nothing
    throw reason
  }
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

/** The reader with their rights; nothing once they may not read at all. Unknown while the database is away. */
type Known = Actor | 'unknown' | undefined

interface Rights extends Disposable {
  /** As far as is known, where nobody has reason to doubt it. */
  look(): Promise<Known>
  /** As of now. */
  lookAgain(): Promise<Known>
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
    const found = await readAgain(domain, reader ?? actor)
    if (found === 'unknown') {
      isDoubted = true
      return found
    }
    checkedAt = performance.now()
    reader = found
    return found
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

async function readAgain(domain: Domain, actor: Actor): Promise<Known> {
  try {
    const now = await authenticateAgain(domain.db, actor)
    return now.permissions.has('mission:read') ? now : undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    return error.code === 'unavailable' ? 'unknown' : undefined
  }
}

/** The last change that is passed comes whoever may read it: the next page goes on from there. */
async function selectPage(
  domain: Domain,
  { reader, missionId }: FeedReader,
  { xid, seq }: Place,
): Promise<Page> {
  const { rows } = await sql<Row>`
    with passed as materialized (
      select * from entity_changes
       where workspace_id = ${reader.workspaceId}
         and (xid, seq) > (${xid}::xid8, ${seq}::bigint)
         and xid < pg_snapshot_xmin(pg_current_snapshot())
         and ${missionId === null ? sql`true` : sql`mission_id = ${missionId}`}
       order by xid, seq limit ${passedAtOnce}),
    judged as (
      select *, ${whereReadable(reader)} as is_readable, lead(seq) over (order by xid, seq) as later,
             row_number() over (order by xid, seq) as place
        from passed as entity_changes),
    page as (
      select * from judged where is_readable or later is null order by place limit ${pageSize})
    select xid::text, seq, entity, entity_id, operation, revision, project_id, mission_id, data,
           created_at, user_id, is_readable,
           later is not null or place = ${passedAtOnce} as is_more
      from page order by place`.execute(domain.db)
  return { rows, isMore: rows.at(-1)?.is_more ?? false }
}

const readOfAll = together({ name: nameOf, earlier: earlierOf, read: selectPage })

/** From after this one's place, read together with others of the process who have the same rights. */
async function readPage(domain: Domain, of: FeedReader, from: Place): Promise<Page> {
  const { rows, isMore } = await readOfAll(domain, of, from)
  return { rows: rows.filter((row) => isAfter(row, from)), isMore }
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
