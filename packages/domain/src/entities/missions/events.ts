import { routineEvents } from '@svc/contracts/mission'
import type { Queryable } from '@svc/db/database'
import type { MissionEventRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { type Page, type Sized, withinBytes } from '../../common/page.ts'
import type { Ref } from '../../common/ids.ts'
import type { MissionRecord } from './queries.ts'

/** Newest first, and one more than the page holds. */
export function selectMissionEvents(
  db: Queryable,
  mission: Ref,
  { limit, before, most }: Page,
): RawBuilder<Sized<MissionEventRow & { actor_name: string | null }>> {
  const query = db
    .selectFrom('mission_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.workspace_id', '=', mission.workspace_id)
    .where('e.mission_id', '=', mission.id)
    .orderBy('e.id', 'desc')
    .limit(limit + 1)
  const rows = before === undefined ? query : query.where('e.id', '<', before)
  return withinBytes({ rows, bytes: bytesOfEvent, most })
}

/** How many entries of a history are looked through for those of a type or an objective. */
export const mostEventsLookedThrough = 2_000

interface EventFilter {
  types?: readonly string[] | undefined
  objectiveId?: string | undefined
}

type FoundEvent = MissionEventRow & {
  actor_name: string | null
  /** It is one of those that were asked for. */
  asked: boolean
  /** The look ended with it, whatever it is. */
  last: boolean
}

/** The same of some of them: those among the entries that a page looks through, and the last one looked at. */
export function selectSomeMissionEvents(
  mission: Ref,
  { types, objectiveId }: EventFilter,
  { limit, before }: Page,
): RawBuilder<Sized<FoundEvent>> {
  const asked = sql.join(
    [
      ...(types ? [sql`e.type = any(${types})`] : []),
      ...(objectiveId === undefined ? [] : [sql`e.objective_id = ${objectiveId}`]),
    ],
    sql` and `,
  )
  const rows = sql<FoundEvent>`
    select e.*, u.name as actor_name, (${asked}) as asked
      from (
        select *, row_number() over (order by id desc) = ${mostEventsLookedThrough} as last
          from mission_events
         where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id}
           and ${before === undefined ? sql`true` : sql`id < ${before}`}
         order by id desc limit ${mostEventsLookedThrough}) e
      left join users u on u.id = e.actor_id
     where (${asked}) or e.last
     order by e.id desc limit ${limit + 1}`
  return withinBytes({ rows, bytes: bytesOfEvent })
}

/** As they travel: a row is smaller, for PostgreSQL compresses what is long. */
const bytesOfEvent = sql`octet_length(summary) + octet_length(coalesce(data::text, ''))`

/** How many entries of a history a context looks through for those that it shows. */
const lookedThrough = 400

/** The entries of a history that are about the work. `ends`: it looked no further, though there is more. */
type ExcerptRow = Sized<MissionEventRow & { actor_name: string | null; ends: boolean }>

/** Newest first, and one more than asked for. The newest entries are read until there are enough of them. */
export function selectHistoryExcerpt(
  db: Queryable,
  { workspace_id, id }: MissionRecord,
  { limit, most }: Pick<Page, 'limit' | 'most'>,
): RawBuilder<ExcerptRow> {
  const newest = db
    .selectFrom('mission_events')
    .selectAll()
    .select(sql<boolean>`row_number() over (order by id desc) > ${lookedThrough}`.as('ends'))
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .orderBy('id', 'desc')
    .limit(lookedThrough + 1)
  const rows = db
    .selectFrom(newest.as('e'))
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where((eb) => eb.or([eb('e.type', 'not in', [...routineEvents]), eb.ref('e.ends')]))
    .orderBy('e.id', 'desc')
    .limit(limit + 1)
  return withinBytes({ rows, bytes: bytesOfEvent, most })
}
