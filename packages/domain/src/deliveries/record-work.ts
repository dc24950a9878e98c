import { checksBefore } from '@svc/contracts/check'
import { ServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import type { DeliverAnswer, ProtocolInput } from '@svc/contracts/protocol'
import { isSessionOver } from '@svc/contracts/states'
import { gather } from '@svc/db/gather'
import type { ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Author } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound, validationFailed } from '../common/errors.ts'
import { lockKnown } from '../lifecycle/lock-run.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import {
  type MissionRecord,
  scopeOfMission,
  selectMissionEver,
} from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import { insertObjectives } from '../objectives/add.ts'
import { selectChecks } from '../entities/projects/queries.ts'
import { refuseIfClosed } from '../entities/objectives/launch-refusals.ts'
import { scopeOfObjective, selectObjective } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { UseCase } from '../use-case.ts'
import { collectWarnings } from '../common/warnings.ts'
import { chooseRequest } from '../sessions/attach-request.ts'
import { replaceLiveSession } from '../sessions/attach-session.ts'
import { ensureNextDraft, linkRequest, selectAround } from '../sessions/attach.ts'
import { completeObjective } from './complete.ts'
import { notRun } from './judge-checks.ts'
import { type Around, aroundOf, deliverIn, hashContent } from './deliver.ts'
import { selectUpcoming } from '../launching/advance.ts'
import { selectWaitingBatches } from '../sessions/drain-ledger.ts'
import { openSession } from '../sessions/open-session.ts'
import { findRunning, requireScopedObjective } from '../entities/objectives/pin.ts'
import { findOwnSession } from '../entities/sessions/queries.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Input = ProtocolInput<'record-work'> & Around

const recordedWork = 'The work was put on record, and no runner was there to run them.'

/** Who recorded it is known; which agent did it is not said. */
const agentIdentifier = 'record-work'

/**
 * Puts finished work on record with all effects of a delivery: of the caller's session where there is one, else of the
 * objective that is named, else of one that is added. A busy mission is no obstacle. Decision 30.
 */
export async function recordWork(
  context: UseCase,
  actor: Actor,
  given: ProtocolInput<'record-work'>,
): Promise<DeliverAnswer> {
  const input: Input = { ...given, ...aroundOf(context) }
  return inTransaction(context, async (tx) => {
    if (input.sessionKey !== undefined && !isObjectiveDisplayId(input.sessionKey)) {
      return deliverIn(tx, actor, input)
    }
    const named = await findNamed(tx, actor, input)
    if (!named) return recordUnnamed(tx, actor, input)
    const own = await findOwnSession(tx, actor, named.objective)
    const isOwn = own && (!isSessionOver(own) || own.end_reason === 'delivered')
    return isOwn ? deliverIn(tx, actor, input) : recordNamed(tx, actor, input, named)
  })
}

interface Named {
  mission: MissionRecord
  objective: ObjectiveRow
}

/** By its id, or by its display id in place of a session. */
async function findNamed(tx: Tx, actor: Actor, input: Input): Promise<Named | undefined> {
  const { missionId, objectiveId, sessionKey } = input
  const refs = [objectiveId, sessionKey].filter((ref) => ref !== undefined)
  const found: Named[] = []
  for (const ref of refs) {
    const one = await requireScopedObjective(tx, actor.workspaceId, { missionId, objectiveId: ref })
    authorize(actor, 'session:deliver', scopeOfObjective(one, ref))
    found.push(one)
  }
  const [one, other] = found
  if (one && other && one.objective.id !== other.objective.id) {
    throw notFound('objective', sessionKey ?? '')
  }
  return one
}

/** The only running one where it is the caller's own; else one that is added for the work. */
async function recordUnnamed(tx: UnitOfWork, actor: Actor, input: Input): Promise<DeliverAnswer> {
  const { missionId = '', summary, title } = input
  const mission = await lockMission(tx, actor.workspaceId, missionId)
  const scope = scopeOfMission(mission, missionId)
  authorize(actor, 'session:deliver', scope)
  const running = await findRunning(tx, mission)
  const own = running && (await findOwnSession(tx, actor, running))
  if (running && own && !isSessionOver(own)) {
    if (title !== undefined) throw titleOfNone(displayIdOf(mission, running))
    return deliverIn(tx, actor, { ...input, objectiveId: displayIdOf(mission, running) })
  }
  authorize(actor, 'objective:create', scope)
  const order = { instruction: summary, ...(title !== undefined && { title }) }
  const [objective] = await insertObjectives(tx, actor.userId, mission, [order])
  if (!objective) throw new Error('an objective was added')
  return recordNamed(tx, actor, input, { mission, objective })
}

/** Whoever gives a title means an objective of its own, and a delivery cannot be taken back. */
function titleOfNone(id: string): ServiceError {
  return validationFailed(
    'title',
    `it is of an objective that is added, and your session works on ${id}: leave title out to deliver that, or add an objective and name it by objectiveId`,
  )
}

async function recordNamed(
  tx: UnitOfWork,
  actor: Actor,
  input: Input,
  { mission: { id: missionId }, objective: { id: objectiveId } }: Named,
): Promise<DeliverAnswer> {
  const { workspaceId } = actor
  const ids = { workspaceId, missionId, objectiveId }
  const run = await lockKnown(tx, {
    ...ids,
    extraReads: ({ project }) => ({
      ...selectAround(tx, ids),
      projects: selectChecks(workspaceId, project),
    }),
  })
  const missing = () => notFound('objective', input.objectiveId ?? input.sessionKey ?? objectiveId)
  if (!run) throw missing()
  const { mission, objective, newest, extraReads: around } = run
  authorize(actor, 'session:deliver', {
    ...scopeOfMission(mission, missionId),
    objectiveId,
    missing,
  })
  refuseUnlessRecordable(mission, objective)
  const author: Author = { userId: actor.userId, role: 'agent' }
  const claimant = { agentIdentifier }
  const request = await chooseRequest(tx, { objective, named: undefined, author }, claimant)
  const claimed = { mission, objective, sessions: around.unended, request, author }
  await replaceLiveSession(tx, claimed, claimant)
  const executing = await passThrough(tx, mission, objective, request?.requested_by ?? actor.userId)
  ensureNextDraft(tx, actor, mission, { current: objective, all: around.all })
  const linked = request && linkRequest(tx, request)
  const opened = { mission, objective: executing, request: linked }
  const { session } = openSession(tx, actor, claimant, { ...opened, next: around.next })
  // what counts in both may have changed with a run that ended above
  const { missions, objectives, batches, ...upcoming } = await gather(tx, {
    missions: selectMissionEver(workspaceId, missionId),
    objectives: selectObjective(tx, workspaceId, objectiveId),
    batches: selectWaitingBatches(tx, objective),
    ...selectUpcoming(tx, { workspaceId, mission: missionId, objective: objectiveId }),
  })
  const [current = mission] = missions
  const [begun = executing] = objectives
  const hasBatches = batches.length > 0
  const [question] = around.questions
  const { checks = {} } = around.projects[0] ?? {}
  const read = { mission: current, objective: begun, request: linked }
  const call = { ...read, session, author, newest, hasBatches, question }
  const names = checksBefore(Object.keys(checks), objective.chosen_check)
  const work = {
    ...input,
    contentHash: hashContent(input),
    checks: names.length === 0 ? null : notRun(recordedWork),
    warnings: collectWarnings(),
  }
  return completeObjective(tx, call, work, upcoming)
}

function refuseUnlessRecordable(mission: MissionRecord, objective: ObjectiveRow): void {
  refuseIfClosed(mission, objective)
  const { state } = objective
  if (state !== 'complete') return
  throw new ServiceError(
    'objective_not_launchable',
    `${displayIdOf(mission, objective)} is complete: record this on another one, or name the mission alone.`,
    { state },
    { next: { operation: 'addObjectives', params: { id: displayIdOfMission(mission) } } },
  )
}

/** It leaves `executing` before the commit, so it takes no slot of a busy mission. */
async function passThrough(
  tx: UnitOfWork,
  mission: MissionRecord,
  objective: ObjectiveRow,
  addressedTo: string,
): Promise<ObjectiveRow> {
  if (objective.state === 'executing') return objective
  return moveObjective(tx, 'attach', {
    mission,
    objective,
    takesNoSlot: true,
    set: { addressed_to: addressedTo, approval_refusal: null, last_outcome: null },
  })
}
