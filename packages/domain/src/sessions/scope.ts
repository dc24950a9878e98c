import { isObjectiveDisplayId, missionOfDisplayId } from '@svc/contracts/ids'
import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ObjectiveRow } from '@svc/db/tables'
import type { Place } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { type MissionRecord, placeOf, requireMission } from '../missions/queries.ts'
import { placeOfObjective, requireObjective } from '../objectives/queries.ts'
import type { Author } from '../commit/records.ts'
import { requireScopedObjective } from './pin.ts'
import { requireSession } from './queries.ts'
import { refuseIfEnded } from './refuse-ended.ts'
import { touchSession } from '../lifecycle/move-session.ts'

/** How a mission-scoped call names its mission; what is given must agree. */
export interface MissionScope {
  missionId?: string | undefined
  objectiveId?: string | undefined
  sessionKey?: string | undefined
}

export interface Scope {
  mission: MissionRecord
  objective: ObjectiveRow | null
  session: AgentSessionRow | null
  place: Place
}

export async function requireScope(tx: Tx, actor: Actor, input: MissionScope): Promise<Scope> {
  const { workspaceId } = actor
  const session = input.sessionKey ? await findSpeaker(tx, actor, input.sessionKey) : null
  const fromKey =
    input.sessionKey && isObjectiveDisplayId(input.sessionKey) ? input.sessionKey : undefined
  const objectiveRef = input.objectiveId ?? fromKey ?? session?.objective_id
  const missionRef =
    input.missionId ?? session?.mission_id ?? (fromKey && missionOfDisplayId(fromKey))
  const objective = objectiveRef
    ? (
        await requireScopedObjective(tx, workspaceId, {
          objectiveId: objectiveRef,
          missionId: missionRef,
        })
      ).objective
    : null
  const mission = await requireMission(tx, workspaceId, objective?.mission_id ?? missionRef ?? '')
  if (session && session.objective_id !== objective?.id) throw notFound('session', 'with this key')
  const place =
    objective && objectiveRef !== undefined
      ? placeOfObjective({ mission, objective }, objectiveRef)
      : placeOf(mission, missionRef ?? mission.id)
  return { mission, objective, session, place }
}

/** An objective's display id may stand for the mission alone, without a session. */
async function findSpeaker(
  tx: Tx,
  actor: Actor,
  sessionKey: string,
): Promise<AgentSessionRow | null> {
  if (isObjectiveDisplayId(sessionKey)) {
    await requireObjective(tx, actor.workspaceId, sessionKey)
    return null
  }
  const session = await requireSession(tx, actor, sessionKey)
  refuseIfEnded(session)
  return touchSession(tx, session)
}

export function authorOf(actor: Actor, scope: Scope): Author {
  return { userId: actor.userId, role: scope.session ? 'agent' : 'person' }
}
