import type { MissionContext } from '@svc/contracts/context'
import type { ProtocolInput } from '@svc/contracts/protocol'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { placeOf, requireMission } from '../missions/queries.ts'
import { placeOfObjective } from '../objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import { buildContext } from './context.ts'
import { pickObjective, requireScopedObjective } from './pin.ts'

type Input = ProtocolInput<'load-context'> & { device?: string | undefined }

/** The mission as an agent sees it; `objectiveId` pins from which objective. Opens no session. */
export async function loadContext(
  { domain }: UseCase,
  actor: Actor,
  input: Input,
): Promise<MissionContext> {
  const { db } = domain
  if (input.objectiveId) {
    const found = await requireScopedObjective(db, actor.workspaceId, input)
    authorize(actor, 'mission:read', placeOfObjective(found, input.objectiveId))
    const { mission, objective } = found
    return buildContext(db, actor, { mission, current: objective, device: input.device })
  }
  const mission = await requireMission(db, actor.workspaceId, input.missionId ?? '')
  authorize(actor, 'mission:read', placeOf(mission, input.missionId ?? ''))
  const current = await pickObjective(db, mission)
  return buildContext(db, actor, { mission, current, device: input.device })
}
