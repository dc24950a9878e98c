import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor } from '../common/page.ts'
import { selectMissionEvents, selectSomeMissionEvents } from '../entities/missions/events.ts'
import { type MissionRecord, scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { viewMissionEvent } from '../entities/missions/views.ts'
import type { UseCase } from '../use-case.ts'
import { objectiveOfMission } from './objective-of-mission.ts'

type Answer = RouteOutput<'listMissionEvents'>

/** Newest first. */
export async function listMissionEvents(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listMissionEvents'>,
): Promise<Answer> {
  const mission = await requireMission(db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfMission(mission, input.id))
  const page = { limit: input.limit, before: readCursor(input.cursor) }
  const { types, objectiveId } = input
  if (types || objectiveId !== undefined) {
    const objective = objectiveId && (await objectiveOfMission(db, actor, mission, objectiveId))
    return listSome(db, mission, { types, objectiveId: objective }, page)
  }
  const { rows } = await selectMissionEvents(db, mission, page).execute(db)
  const { items, nextCursor } = pageOfSized(rows, input.limit, (event) => event.id)
  return { events: items.map(viewMissionEvent), ...nextCursor }
}

/** A page goes on from the last entry that was looked at, where those that were asked for do not fill it. */
async function listSome(
  db: Queryable,
  mission: MissionRecord,
  filter: Parameters<typeof selectSomeMissionEvents>[1],
  page: Parameters<typeof selectSomeMissionEvents>[2],
): Promise<Answer> {
  const { rows } = await selectSomeMissionEvents(mission, filter, page).execute(db)
  const { items, nextCursor } = pageOfSized(rows, page.limit, (event) => event.id)
  const end = items.at(-1)
  const goesOn = end?.last ? { nextCursor: end.id } : nextCursor
  const asked = items.filter((event) => event.asked)
  return { events: asked.map(viewMissionEvent), ...goesOn }
}
