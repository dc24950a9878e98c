import { isServiceError } from '@svc/contracts/errors'
import type { FeedChange } from '@svc/contracts/feed'
import { sql } from 'kysely'
import { authenticateAgain } from '../people/access/authenticate-again.ts'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { translate } from '../common/database-failures.ts'
import type { UseCase } from '../use-case.ts'
import { channels } from '../jobs/wake-hub.ts'

export type FeedItem =
  | { id: string; event: 'change'; data: FeedChange }
  | { id: string; event: 'reset'; data: { reason: 'cursor_too_old' } }

interface Cursor {
  xid: string
  seq: number
}

interface Row {
  xid: string
  seq: number
  entity: FeedChange['entity']
  entity_id: string
  operation: string
  project_id: string | null
  mission_id: string | null
  data: Record<string, unknown>
  created_at: Date
}

const pageSize = 500
const recheckMs = 15_000

interface Opening {
  missionId: string | null
  cursor: Cursor
  /** The cursor that was asked for is older than what is kept. */
  isReset: boolean
}

/**
 * Every committed change once, in order of transaction, from after the cursor on; without one, from now on. A change
 * is sent only when no older transaction can still commit, so one that commits late is never skipped. Decision 54.
 * Where it begins is known, and a refusal thrown, before it is read.
 */
export async function openFeed(
  context: UseCase,
  actor: Actor,
  input: { missionId?: string | undefined; cursor?: string | undefined },
): Promise<AsyncGenerator<FeedItem>> {
  const { domain } = context
  const missionId = await authorizeFeed(domain, actor, input.missionId)
  const asked = input.cursor ? parseCursor(input.cursor) : undefined
  const isReset = asked !== undefined && (await isTooOld(domain, asked))
  const cursor = asked && !isReset ? asked : await startingNow(domain)
  return readFeed(context, actor, { missionId, cursor, isReset })
}

async function* readFeed(
  { domain, signal }: UseCase,
  actor: Actor,
  { missionId, cursor, isReset }: Opening,
): AsyncGenerator<FeedItem> {
  if (isReset) yield { id: format(cursor), event: 'reset', data: { reason: 'cursor_too_old' } }
  using rights = watchRights(domain, actor)
  while (!signal?.aborted) {
    if (!(await rights.stillHold())) return
    const rows = await readPage(domain, actor, missionId, cursor).catch(emptyWhileAway)
    for (const row of rows) {
      cursor = { xid: row.xid, seq: row.seq }
      yield { id: format(cursor), event: 'change', data: view(row) }
    }
    if (rows.length === pageSize) continue
    await domain.wake.wait([channels.changes, channels.access], domain.pollMs, signal)
  }
}

/** A database that restarts ends no feed: it goes on from its cursor. */
function emptyWhileAway(error: unknown): Row[] {
  const reason = translate(error)
  if (isServiceError(reason) && reason.code === 'unavailable') return []
  throw reason
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
  stillHold(): Promise<boolean>
}

/** Rights may go while a feed is open: looked at as soon as a hint says so, and without one every 15 s. */
function watchRights(domain: Domain, actor: Actor): Rights {
  let checkedAt = performance.now()
  let isDoubted = false
  const hearing = domain.wake.listen(channels.access, (about) => {
    isDoubted ||= about.some((userId) => userId === actor.userId || userId === '')
  })
  return {
    async stillHold() {
      if (!isDoubted && performance.now() - checkedAt < recheckMs) return true
      // what is hinted from here on is worth another look
      isDoubted = false
      checkedAt = performance.now()
      return mayStillRead(domain, actor)
    },
    [Symbol.dispose]: () => hearing[Symbol.dispose](),
  }
}

/** While the database is away nothing can be read either. */
async function mayStillRead(domain: Domain, actor: Actor): Promise<boolean> {
  try {
    return (await authenticateAgain(domain.db, actor)).permissions.has('mission:read')
  } catch (error) {
    if (!isServiceError(error)) throw error
    return error.code === 'unavailable'
  }
}

async function startingNow(domain: Domain): Promise<Cursor> {
  const { rows } = await sql<{ xid: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(domain.db)
  return { xid: rows[0]?.xid ?? '0', seq: 0 }
}

async function isTooOld(domain: Domain, cursor: Cursor): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select xid <> '0' and ${cursor.xid}::xid8 <= xid
           -- given out by another server, or before this one was restored
           or ${cursor.xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as old
      from feed_floor`.execute(domain.db)
  return rows[0]?.old ?? false
}

const accessColumnsOfChanges = {
  projectId: sql`coalesce(project_id,
    (select m.project_id from missions m
      where m.workspace_id = entity_changes.workspace_id and m.id = entity_changes.mission_id))`,
  missionId: sql`mission_id`,
}

async function readPage(
  domain: Domain,
  actor: Actor,
  missionId: string | null,
  cursor: Cursor,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select xid::text, seq, entity, entity_id, operation, project_id, mission_id, data, created_at
      from entity_changes
     where workspace_id = ${actor.workspaceId}
       and (xid, seq) > (${cursor.xid}::xid8, ${cursor.seq}::bigint)
       and xid < pg_snapshot_xmin(pg_current_snapshot())
       and ${missionId === null ? sql`true` : sql`mission_id = ${missionId}`}
       and ${whereVisibleTo(actor, accessColumnsOfChanges)}
     -- the bare name would be the text that is selected, and 10 come before 9
     order by entity_changes.xid, entity_changes.seq limit ${pageSize}`.execute(domain.db)
  return rows
}

function view(row: Row): FeedChange {
  return {
    entity: row.entity,
    entityId: row.entity_id,
    operation: row.operation,
    projectId: row.project_id,
    missionId: row.mission_id,
    data: row.data,
    at: row.created_at.toISOString(),
  }
}

function format(cursor: Cursor): string {
  return `${cursor.xid}.${cursor.seq}`
}

function parseCursor(text: string): Cursor {
  const [xid = '0', seq = '0'] = text.split('.')
  return { xid, seq: Number(seq) }
}
