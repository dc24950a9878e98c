import { routineEvents } from '@svc/contracts/mission'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import type { MissionEventRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { type Page, type Sized, pageOfSized, readCursor, withinBytes } from '../../common/page.ts'
import type { UseCase } from '../../use-case.ts'
import type { Ref } from '../../common/ids.ts'
import { type MissionRecord, placeOf, requireMission } from './queries.ts'
import { viewMissionEvent } from './views.ts'

/** Newest first. */
export async function listMissionEvents(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listMissionEvents'>,
): Promise<RouteOutput<'listMissionEvents'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', placeOf(mission, input.id))
  const { rows } = await selectMissionEvents(domain.db, mission, {
    limit: input.limit,
    before: readCursor(input.cursor),
  }).execute(domain.db)
  const { items, nextCursor } = pageOfSized(rows, input.limit, (event) => event.id)
  return { events: items.map(viewMissionEvent), ...nextCursor }
}

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

/** As they travel: a row is smaller, for PostgreSQL compresses what is long. */
const bytesOfEvent = sql`octet_length(summary) + octet_length(coalesce(data::text, ''))`

/** How many entries of a history a context looks through for what it tells. */
const lookedThrough = 400

/** Of `listMissionEvents`, what tells of the work. `ends`: it looked no further, though there is more. */
type FoundToTell = Sized<MissionEventRow & { actor_name: string | null; ends: boolean }>

/** Newest first, and one more than asked for. The newest entries are read until there are enough of them. */
export function selectEventsToTell(
  db: Queryable,
  { workspace_id, id }: MissionRecord,
  { limit, most }: Pick<Page, 'limit' | 'most'>,
): RawBuilder<FoundToTell> {
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
