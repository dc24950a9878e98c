import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import { type RawBuilder, sql } from 'kysely'
import { authorize, isAllowed, whereVisibleTo } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { payloadOf } from '../../events/envelope.ts'
import { type NamedEvent, makeBody, namesOfEvent } from '../../events/make-body.ts'
import { type Cursor, formatCursor, isTooOld, parseCursor, startingNow } from '../../feed/cursor.ts'
import type { UseCase } from '../../use-case.ts'
import { projectIdOf } from '../management/create.ts'

/** So many payloads of full size are a few megabytes. */
const eventsAtOnce = 20
/** How many changes, of whatever, a call passes on its way to events. */
const changesAtOnce = 1_000

interface Row extends NamedEvent {
  xid: string
  seq: number
  place: number
  event_id: string | null
  body: string | null
}

/**
 * Events in the order in which they were committed, each once, with the payload that a webhook is sent. It only reads: the
 * outbox does not know of those who listen. Without a cursor it answers where to begin. Decision 143.
 */
export async function listWebhookEvents(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listWebhookEvents'>,
): Promise<RouteOutput<'listWebhookEvents'>> {
  authorize(actor, 'webhook:read')
  const now = await startingNow(domain)
  const start = { events: [], cursor: formatCursor(now), isMore: false }
  if (input.cursor === undefined) return { ...start, isReset: false }
  const after = parseCursor(input.cursor, now)
  if (await isTooOld(domain, after)) return { ...start, isReset: true }

  // as of those who made a subscription, at every attempt
  const mode = isAllowed(actor, 'mission:read') ? input.payloadMode : 'thin'
  const projectId = await projectIdOf(domain.db, actor, input.projectId)
  const wanted = [
    whereVisibleTo(actor, { projectId: sql`e.project_id`, missionId: sql`e.mission_id` }),
    ...(input.eventTypes ? [sql`e.type = any(${input.eventTypes})`] : []),
    ...(projectId === null ? [] : [sql`e.project_id = ${projectId}`]),
  ]
  const { rows } = await readRows(actor, { after, now, mode, wanted }).execute(domain.db)
  const events: RouteOutput<'listWebhookEvents'>['events'] = []
  for (const row of rows) {
    if (row.event_id === null) continue
    const rest = row.body ?? (await makeBody(domain.db, row, mode))
    const body = payloadOf(row.id, Buffer.from(rest)).toString()
    const occurredAt = row.occurred_at.toISOString()
    events.push({ id: row.id, type: row.type, occurredAt, mode, body })
  }
  const last = rows.at(-1)
  const isMore =
    last !== undefined && (rows.length === eventsAtOnce || last.place === changesAtOnce)
  const cursor = formatCursor(isMore ? { ...now, xid: last.xid, seq: last.seq } : now)
  return { events, cursor, isMore, isReset: false }
}

interface Reading {
  after: Cursor
  now: Cursor
  mode: PayloadMode
  wanted: readonly RawBuilder<unknown>[]
}

/** The last of the changes that are passed comes, too, where there may be more: the next call goes on from it. */
function readRows({ workspaceId }: Actor, { after, now, mode, wanted }: Reading) {
  return sql<Row>`
    with passed as materialized (
      select xid, seq, row_number() over (order by entity_changes.xid, entity_changes.seq) as place,
             case when entity = 'mission' and operation = 'event'
                  then (data ->> 'eventId')::uuid end as event_id
        from entity_changes
       where workspace_id = ${workspaceId}
         and (xid, seq) > (${after.xid}::xid8, ${after.seq}::bigint) and xid < ${now.xid}::xid8
       order by entity_changes.xid, entity_changes.seq limit ${changesAtOnce})
    select passed.xid::text, passed.seq, passed.place::int, e.*, e.id as event_id
      from passed
      left join lateral (
        select e.*, ${namesOfEvent},
               (select convert_from(b.bytes, 'UTF8') from webhook_bodies b
                 where b.workspace_id = e.workspace_id and b.event_id = e.id and b.mode = ${mode}) as body
          from webhook_events e
         where e.workspace_id = ${workspaceId} and e.id = passed.event_id
           and ${sql.join(wanted, sql` and `)} limit 1) e on true
     where e.id is not null or passed.place = ${changesAtOnce}
     order by passed.xid, passed.seq limit ${eventsAtOnce}`
}
