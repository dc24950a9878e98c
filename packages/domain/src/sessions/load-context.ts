import type { MissionContext } from '@svc/contracts/context'
import type { ProtocolInput } from '@svc/contracts/protocol'
import type { Queryable } from '@svc/db/database'
import type { ArtifactRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { requireArtifact } from '../entities/artifacts/queries.ts'
import { viewArtifact } from '../entities/artifacts/views.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import { buildContext } from './context.ts'
import { pickObjective, requireScopedObjective } from '../entities/objectives/pin.ts'

type Input = ProtocolInput<'load-context'> & { device?: string | undefined }

/** The mission as an agent sees it; `objectiveId` pins from which objective. Opens no session. */
export async function loadContext(
  { domain }: UseCase,
  actor: Actor,
  input: Input,
): Promise<MissionContext> {
  const { db } = domain
  const seen = { ...(await find(db, actor, input)), device: input.device }
  const context = await buildContext(db, actor, seen)
  const { artifactId, offset } = input
  if (artifactId === undefined && offset === undefined) return context
  const artifact =
    artifactId === undefined ? undefined : await requireArtifact(db, seen.mission, artifactId)
  return readOn(context, artifact, offset ?? 0)
}

async function find(db: Queryable, actor: Actor, input: Input) {
  if (input.objectiveId) {
    const found = await requireScopedObjective(db, actor.workspaceId, input)
    authorize(actor, 'mission:read', scopeOfObjective(found, input.objectiveId))
    return { mission: found.mission, current: found.objective }
  }
  const mission = await requireMission(db, actor.workspaceId, input.missionId ?? '')
  authorize(actor, 'mission:read', scopeOfMission(mission, input.missionId ?? ''))
  return { mission, current: await pickObjective(db, mission) }
}

/** One text of the mission from there on, and nothing that was read with its beginning. */
function readOn(
  context: MissionContext,
  artifact: ArtifactRow | undefined,
  offset: number,
): MissionContext {
  const { currentObjective } = context
  const from = (text: string) => text.slice(offset).toWellFormed()
  const isOfObjective = !artifact && currentObjective
  const viewed = artifact && viewArtifact(artifact)
  return {
    ...context,
    currentObjective: isOfObjective
      ? { ...currentObjective, instruction: from(currentObjective.instruction) }
      : null,
    previousObjectives: [],
    futureObjectives: [],
    history: [],
    deliveries: [],
    artifacts: viewed ? [{ ...viewed, contentText: from(viewed.contentText ?? '') }] : [],
    questions: [],
    attachments: [],
    sharedState: [],
    projectResources: [],
    truncated: true,
  }
}
