import type { AttachAnswer } from '@svc/contracts/context'
import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { ProtocolInput } from '@svc/contracts/protocol'
import { gather } from '@svc/db/gather'
import type {
  ExecutionRequestRow,
  ObjectiveRow,
  RunQueueEntryRow,
  RunQueueRow,
} from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { notFound } from '../common/errors.ts'
import { selectNextSeq } from '../execution-requests/insert.ts'
import { scopeOfRequest } from '../entities/execution-requests/queries.ts'
import { allows } from '../states/table.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import { type Keyed, addNextDraft, selectKeys } from '../objectives/add.ts'
import { refuseIfBusy, refuseIfClosed } from '../entities/objectives/launch-refusals.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { selectActive } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { followAttach, leftQueueMessage } from '../run-queues/follow.ts'
import { selectEntryOf } from '../run-queues/queries.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { inheritQuestion } from '../execution-requests/inherit-questions.ts'
import { selectPendingOfObjective } from '../entities/questions/queries.ts'
import { isStarted } from '../states/states.ts'
import { chooseRequest } from './attach-request.ts'
import { replaceLiveSession } from './attach-session.ts'
import { buildContext } from './context.ts'
import { pickObjective, resolvePin } from '../entities/objectives/pin.ts'
import { openSession } from './open-session.ts'
import { selectUnendedSessions } from '../entities/sessions/queries.ts'
import { replyOf, viewSession } from '../entities/sessions/views.ts'
import { lockKnown, lockRunWith } from '../lifecycle/lock-run.ts'
import { lockMission, lockObjectiveOf } from '../lifecycle/locks.ts'
import type { Id } from '../common/ids.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Input = ProtocolInput<'attach'> & { device?: string | undefined }

/**
 * Binds an agent to one objective and opens its session. Looks at no repository. Sent twice without an idempotency
 * key, the second attach of the same run replaces the first. spec: States and transitions, row 5.
 */
export async function attach(context: UseCase, actor: Actor, input: Input): Promise<AttachAnswer> {
  return inTransaction(context, (tx) => attachIn(tx, context, actor, input), { secretAnswer: true })
}

async function attachIn(
  tx: UnitOfWork,
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<AttachAnswer> {
  const author: Author = { userId: actor.userId, role: 'agent' }
  const { mission, objective, pinned, named, around } = await lockPinned(tx, actor, input)
  refuseUnlessAttachable(actor, mission, objective, pinned)
  const request = await chooseRequest(tx, { objective, named, author }, input)
  const claimed = { mission, objective, sessions: around.unended, request, author }
  const before = await replaceLiveSession(tx, claimed, input)
  if (objective.state !== 'executing') refuseIfBusy(mission, objective, around.active)

  const [entry] = around.entries
  const addressedTo = request?.requested_by ?? actor.userId
  const started = { mission, objective, entry, addressedTo }
  const { executing, left } = await startExecuting(tx, started)
  ensureNextDraft(tx, actor, mission, { current: objective, all: around.all })
  const moved = await moveMission(tx, 'attach', { mission, author })
  const linked = request && linkRequest(tx, request)
  const { session: opened, sessionKey } = openSession(tx, actor, input, {
    mission: moved,
    objective: executing,
    request: linked,
    next: around.next,
  })
  const [pending] = around.questions
  const { session, question } = await inheritQuestion(tx, {
    question: pending,
    before,
    session: opened,
    author,
  })
  recordEvent(
    tx,
    author,
    { objective },
    {
      type: 'session_attached',
      summary: `${input.agentIdentifier} attached to ${displayIdOf(mission, objective)}`,
      data: {
        sessionId: session.id,
        executionRequestId: linked?.id ?? null,
        agent: input.agentIdentifier,
      },
    },
  )
  // the history that is read next has this attach too
  const loaded = await buildContext(tx, actor, {
    mission: moved,
    current: executing,
    device: input.device,
  })
  return {
    ...loaded,
    session: viewSession(session),
    sessionKey,
    warnings: left ? [leftQueueMessage(left)] : [],
    ...replyOf({ request: linked, question }),
  }
}

/** The launched agent, which names its request and nothing else. */
async function lockRequested(tx: UnitOfWork, actor: Actor, requestId: string) {
  const { workspaceId } = actor
  const run = await lockRunWith(tx, workspaceId, requestId, {
    extraReads: (ids) =>
      selectAround(tx, { workspaceId, missionId: ids.mission, objectiveId: ids.objective }),
  })
  const { mission, objective, request, newest, extraReads: around } = run
  authorize(actor, 'session:attach', scopeOfRequest(request, requestId))
  return { mission, objective, pinned: true, named: { request, newest }, around }
}

async function lockPinned(tx: UnitOfWork, actor: Actor, input: Input) {
  const { missionId: named, objectiveId: pinned, executionRequestId } = input
  if (executionRequestId !== undefined && named === undefined && pinned === undefined) {
    return lockRequested(tx, actor, executionRequestId)
  }
  const pin = await resolvePin(tx, actor, input)
  const missing = () => notFound(...namedBy(input))
  if (pin.objectiveId !== null) {
    const { missionId, objectiveId, request } = pin
    const { workspaceId } = actor
    const extraReads = () => selectAround(tx, { workspaceId, missionId, objectiveId })
    const requestId = request?.id ?? null
    const run = await lockKnown(tx, { workspaceId, missionId, objectiveId, requestId, extraReads })
    if (!run) throw missing()
    const { mission, objective } = run
    const scope = { ...scopeOfMission(mission, mission.id), missing }
    authorize(actor, 'session:attach', scope)
    authorize(actor, 'session:attach', { ...scope, objectiveId: objective.id })
    const named = run.request && { request: run.request, newest: run.newest }
    return { mission, objective, pinned: true, named, around: run.extraReads }
  }
  const mission = await lockMission(tx, actor.workspaceId, pin.missionId)
  const scope = { ...scopeOfMission(mission, mission.id), missing }
  authorize(actor, 'session:attach', scope)
  const picked = await pickObjective(tx, mission)
  const objective = picked && (await lockObjectiveOf(tx, mission, picked.id))
  if (!objective) throw nothingToAttach(mission)
  authorize(actor, 'session:attach', { ...scope, objectiveId: objective.id })
  const { workspaceId } = actor
  const ids = { workspaceId, missionId: mission.id, objectiveId: objective.id }
  const around = await gather(tx, selectAround(tx, ids))
  return { mission, objective, pinned: false, named: undefined, around }
}

/** What the attach is decided by in addition to the rows that it locks. */
export function selectAround(tx: Tx, ids: { workspaceId: string; missionId: Id; objectiveId: Id }) {
  const mission = { workspace_id: ids.workspaceId, id: ids.missionId }
  const objective = { workspace_id: ids.workspaceId, id: ids.objectiveId }
  return {
    unended: selectUnendedSessions(tx, objective),
    active: selectActive(tx, mission),
    questions: selectPendingOfObjective(tx, objective),
    entries: selectEntryOf(tx, objective),
    all: selectKeys(tx, mission),
    next: selectNextSeq(),
  }
}

/** What the pin was found by, so that a mission out of reach is answered as one that is not there. */
function namedBy(input: Input): Parameters<typeof notFound> {
  if (input.objectiveId !== undefined) return ['objective', input.objectiveId]
  if (input.executionRequestId !== undefined) return ['execution request', input.executionRequestId]
  return ['mission', input.missionId ?? '']
}

function nothingToAttach(mission: MissionRecord): ServiceError {
  return new ServiceError(
    'nothing_to_attach',
    `Mission ${mission.title} has no objective to work on.`,
    undefined,
    { next: { operation: 'addObjectives', params: { id: displayIdOfMission(mission) } } },
  )
}

function awaitsApproval(id: string): ServiceError {
  return new ServiceError(
    'nothing_to_attach',
    `${id} is next, and waits for a person's approval: a launch is that, and so is an attach that names ${id} by objectiveId, which takes the right to launch.`,
    undefined,
    { next: { operation: 'launchObjective', params: { id } } },
  )
}

function refuseUnlessAttachable(
  actor: Actor,
  mission: MissionRecord,
  objective: ObjectiveRow,
  pinned: boolean,
): void {
  refuseIfClosed(mission, objective)
  const id = displayIdOf(mission, objective)
  if (objective.state !== 'executing' && !allows('attach', objective.state)) {
    throw new ServiceError(
      'objective_not_launchable',
      `${id} is ${objective.state}; attach to another objective.`,
      { state: objective.state },
      { next: { operation: 'getMission', params: { id: displayIdOfMission(mission) } } },
    )
  }
  if (objective.state !== 'awaiting_approval') return
  // attaching in place of a person's approval takes the right to launch, and a caller who means this objective
  if (!pinned) throw awaitsApproval(id)
  authorize(actor, 'execution_request:create', {
    ...scopeOfMission(mission, mission.id),
    objectiveId: objective.id,
  })
}

interface Started {
  mission: MissionRecord
  objective: ObjectiveRow
  entry: RunQueueEntryRow | undefined
  /** Who launched the agent, or brought it. */
  addressedTo: string
}

async function startExecuting(
  tx: UnitOfWork,
  { mission, objective, entry, addressedTo }: Started,
): Promise<{ executing: ObjectiveRow; left?: RunQueueRow }> {
  if (objective.state === 'executing') {
    if (objective.addressed_to === addressedTo) return { executing: objective }
    return { executing: tx.pending.move('objectives', objective, { addressed_to: addressedTo }) }
  }
  const { advances, ...followed } = await followAttach(tx, objective, entry)
  const executing = await moveObjective(tx, 'attach', {
    mission,
    objective,
    set: { addressed_to: addressedTo, approval_refusal: null, last_outcome: null, ...advances },
  })
  return { executing, ...followed }
}

/** There is always something to come: a blank draft where nothing else is left to start. Decision 27. */
export function ensureNextDraft(
  tx: UnitOfWork,
  { userId }: Actor,
  mission: MissionRecord,
  { current, all }: { current: ObjectiveRow; all: readonly Keyed[] },
): void {
  const others = all.filter(({ id, deleted_at }) => id !== current.id && deleted_at === null)
  const future = others.some((one) => !isStarted(one.state))
  const full = others.length + 1 >= limits.objectivesPerMission
  if (!future && !full) addNextDraft(tx, userId, mission, all)
}

export function linkRequest(tx: UnitOfWork, request: ExecutionRequestRow): ExecutionRequestRow {
  return moveRequest(tx, 'attach', request, { attach_by: null })
}
