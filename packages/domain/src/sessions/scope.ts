import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Permission } from '@svc/contracts/permissions'
import type { ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { type MissionRecord, scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { scopeOfObjective, requireObjective } from '../entities/objectives/queries.ts'
import type { Author } from '../commit/records.ts'
import { showAnswer, takeShown } from './take-answers.ts'
import { type SessionCall, lockSessionCall } from './call.ts'
import { findDeletion } from '../deletion/find-deletion.ts'
import { requireScopedObjective } from '../entities/objectives/pin.ts'
import { requireSession } from '../entities/sessions/queries.ts'
import { type MissionScope, sessionNotFound } from './require-session.ts'
import { refuseIfEnded } from './refuse-ended.ts'
import { touchSession } from '../lifecycle/move-session.ts'
import type { Reply } from '../entities/sessions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

export interface Scope {
  mission: MissionRecord
  objective: ObjectiveRow | null
  /** The call of the session that speaks. */
  call: SessionCall | null
}

/** What the call names, for those who may do this there; a session that is named has spoken. */
export async function requireScope(
  tx: UnitOfWork,
  actor: Actor,
  permission: Permission,
  input: MissionScope,
): Promise<Scope> {
  const missing = () => scopeNotFound(input)
  const found = await findScope(tx, actor, input).catch(async (error: unknown) => {
    if (!isServiceError(error) || error.code !== 'not_found') throw error
    throw (await findDeletion(tx, actor, input)) ?? missing()
  })
  const { mission, objective, speaks } = found
  const accessScope = objective
    ? scopeOfObjective({ mission, objective }, objective.id)
    : scopeOfMission(mission, mission.id)
  authorize(actor, permission, { ...accessScope, missing })
  if (!speaks) return { mission, objective, call: null }
  const { sessionKey } = input
  const locked = await lockSessionCall(tx, actor, permission, { sessionKey })
  refuseIfEnded(locked.session, mission)
  const session = touchSession(tx, locked.session)
  return { mission, objective, call: await takeShown(tx, { ...locked, session }) }
}

/** Says no more than the caller did, so that what is not there and what is not theirs read alike. */
function scopeNotFound(input: MissionScope): ServiceError {
  const { missionId, objectiveId, sessionKey } = input
  if (objectiveId !== undefined) return notFound('objective', objectiveId)
  if (sessionKey === undefined) return notFound('mission', missionId ?? '')
  return isObjectiveDisplayId(sessionKey)
    ? notFound('objective', sessionKey)
    : sessionNotFound(input)
}

async function findScope(tx: Tx, actor: Actor, input: MissionScope) {
  const { workspaceId } = actor
  const speaker = await findSpeaker(tx, actor, input.sessionKey)
  const objectiveId = input.objectiveId ?? speaker?.objectiveId
  const missionId = input.missionId ?? speaker?.missionId
  const objective = objectiveId
    ? (await requireScopedObjective(tx, workspaceId, { objectiveId, missionId })).objective
    : null
  if (speaker && speaker.objectiveId !== objective?.id) throw sessionNotFound(input)
  const mission = await requireMission(tx, workspaceId, objective?.mission_id ?? missionId ?? '')
  return { mission, objective, speaks: speaker?.isSession === true }
}

interface Speaker {
  missionId: string
  objectiveId: string
  /** An objective's display id stands for its mission alone. */
  isSession: boolean
}

async function findSpeaker(
  tx: Tx,
  actor: Actor,
  sessionKey: string | undefined,
): Promise<Speaker | undefined> {
  if (sessionKey === undefined) return undefined
  if (isObjectiveDisplayId(sessionKey)) {
    const { mission, objective } = await requireObjective(tx, actor.workspaceId, sessionKey)
    return { missionId: mission.id, objectiveId: objective.id, isSession: false }
  }
  const session = await requireSession(tx, actor, sessionKey)
  return { missionId: session.mission_id, objectiveId: session.objective_id, isSession: true }
}

/** What a reply says to the agent whose session was named. */
export function replyOfScope(tx: UnitOfWork, { call }: Scope): Partial<Reply> {
  return call ? showAnswer(tx, call) : {}
}

export function authorOf(actor: Actor, scope: Scope): Author {
  return { userId: actor.userId, role: scope.call ? 'agent' : 'person' }
}
