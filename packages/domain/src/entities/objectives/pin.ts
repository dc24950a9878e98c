import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId, missionOfDisplayId } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { notFound, validationFailed } from '../../common/errors.ts'
import { scopeOfRequest, requireRequest } from '../execution-requests/queries.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { findMission, requireMission } from '../missions/queries.ts'
import { findNextUp, listActive, requireObjective } from './queries.ts'
import { displayIdOf } from './views.ts'

export interface PinInput {
  missionId?: string | undefined
  objectiveId?: string | undefined
  executionRequestId?: string | undefined
}

export interface Pin {
  missionId: string
  /** null: the picker chooses, under the mission's lock */
  objectiveId: string | null
  /** The named request, when it is of that objective; one of another counts as not named. */
  request: ExecutionRequestRow | null
}

/** Explicit objective, else the request's, else the picker. spec: States and transitions, row 5. */
export async function resolvePin(db: Queryable, actor: Actor, input: PinInput): Promise<Pin> {
  const { workspaceId } = actor
  const request = input.executionRequestId
    ? await requireRequest(db, workspaceId, input.executionRequestId)
    : null
  // next to another objective it changes nothing, yet nobody learns that it is there who may not know
  if (request) authorize(actor, 'session:attach', scopeOfRequest(request, request.id))
  if (input.objectiveId) {
    const ofRequest = isObjectiveDisplayId(input.objectiveId) ? undefined : request?.mission_id
    const { mission, objective } = await requireScopedObjective(db, workspaceId, {
      ...input,
      missionId: input.missionId ?? ofRequest,
    })
    const named = request?.objective_id === objective.id ? request : null
    return { missionId: mission.id, objectiveId: objective.id, request: named }
  }
  if (request) {
    if (input.missionId) await refuseUnlessOf(db, workspaceId, input.missionId, request)
    return { missionId: request.mission_id, objectiveId: request.objective_id, request }
  }
  if (!input.missionId) {
    throw validationFailed('missionId', 'name missionId, objectiveId or executionRequestId')
  }
  const mission = await requireMission(db, workspaceId, input.missionId)
  return { missionId: mission.id, objectiveId: null, request: null }
}

async function refuseUnlessOf(
  db: Queryable,
  workspaceId: string,
  missionRef: string,
  request: ExecutionRequestRow,
): Promise<void> {
  const mission = await findMission(db, workspaceId, missionRef)
  // a mission that is another one's and one that is nowhere look the same
  if (mission?.id !== request.mission_id) throw notFound('execution request', request.id)
}

/** A display id names its mission; a UUID needs the mission named as well, and the two must belong together. Decision 71. */
export async function requireScopedObjective(
  db: Queryable,
  workspaceId: string,
  input: { objectiveId?: string | undefined; missionId?: string | undefined },
): Promise<{ mission: MissionRecord; objective: ObjectiveRow }> {
  const ref = input.objectiveId ?? ''
  const missionRef =
    input.missionId ?? (isObjectiveDisplayId(ref) ? missionOfDisplayId(ref) : undefined)
  if (missionRef === undefined) {
    throw validationFailed('missionId', 'a UUID names no mission; give missionId beside it')
  }
  const found = await requireObjective(db, workspaceId, ref)
  const mission = await findMission(db, workspaceId, missionRef)
  // a mission that is another one's and one that is nowhere look the same
  if (found.mission.id !== mission?.id) throw notFound('objective', ref)
  return found
}

/** The active objective, else the next one up. Refused where several are active. */
export async function pickObjective(
  db: Queryable,
  mission: MissionRecord,
): Promise<ObjectiveRow | undefined> {
  return (await findRunning(db, mission)) ?? findNextUp(db, mission)
}

/** The one that is active; several are ambiguous. */
export async function findRunning(
  db: Queryable,
  mission: MissionRecord,
): Promise<ObjectiveRow | undefined> {
  const running = (await listActive(db, mission)).filter((one) => one.deleted_at === null)
  if (running.length > 1) throw ambiguousObjective(mission, running)
  return running[0]
}

function ambiguousObjective(
  mission: MissionRecord,
  running: readonly ObjectiveRow[],
): ServiceError {
  const candidates = running.map((objective) => ({
    objectiveId: objective.id,
    displayId: displayIdOf(mission, objective),
    title: objective.title,
  }))
  return new ServiceError(
    'ambiguous_objective',
    `Several objectives run in this mission; name one: ${candidates.map((one) => one.displayId).join(', ')}`,
    { candidates },
  )
}
