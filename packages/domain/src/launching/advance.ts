import { describeCheck } from '@svc/contracts/check'
import { cutText } from '@svc/contracts/cut-text'
import { ServiceError, isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { DeliverAnswer } from '@svc/contracts/protocol'
import { type Gathered, gather } from '@svc/db/gather'
import type { DeliveryRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { mayNow } from '../access/member-may.ts'
import { viewRequest } from '../entities/execution-requests/views.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { Id } from '../common/ids.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { inheritChoice } from '../entities/objectives/launch-config.ts'
import { launchStep, notifyOfObjective } from '../notifications/notify-of-objective.ts'
import { queueLaunch, selectForLaunch } from './launch.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { selectActive, selectNextUp } from '../entities/objectives/queries.ts'
import { byService, recordEvent } from '../commit/records.ts'
import { type UnpassedReason, followDelivery } from '../run-queues/follow.ts'
import { selectEntriesOf } from '../run-queues/queries.ts'
import { savepoint } from '../commit/transaction.ts'
import { type Warnings, collectWarnings } from '../common/warnings.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

export interface AdvanceFacts {
  mission: MissionRecord
  delivered: ObjectiveRow
  delivery: DeliveryRow
  /** The launch of the delivered run; none where an agent attached by itself, which may be nobody's to launch. */
  launch: Pick<ExecutionRequestRow, 'agent' | 'requested_by'> | undefined
  upcoming: Upcoming
  warnings: Warnings
}

export type Upcoming = Gathered<ReturnType<typeof selectUpcoming>>

/** What is next in the mission of an objective, and what keeps it. */
export function selectUpcoming(
  tx: Tx,
  { workspaceId, mission, objective }: { workspaceId: string; mission: Id; objective: Id },
) {
  const ofMission = { workspace_id: workspaceId, id: mission }
  return {
    next: selectNextUp(tx, ofMission).where('id', '!=', objective),
    active: selectActive(tx, ofMission).where('id', '!=', objective),
    entries: selectEntriesOf(tx, ofMission),
  }
}

/**
 * What follows a delivery: the next objective is launched, or waits for a person. In one savepoint: whatever fails
 * here, the delivery stands, and the step is pending until the sweep has made it.
 * spec: States and transitions, rows 9 and 10.
 */
export async function advance(tx: UnitOfWork, facts: AdvanceFacts): Promise<DeliverAnswer['next']> {
  const tried = await savepoint(tx, () => step(tx, facts))
  if (tried.ok) return tried.value
  facts.warnings.add('The next objective could not be started now; it will be tried again')
  await setPendingAdvance(tx, facts.mission, facts.delivery.id)
  return null
}

/** Keeps the delivery whose next step is still to be made, or null once it was. */
export async function setPendingAdvance(
  tx: Tx,
  mission: MissionRecord,
  deliveryId: string | null,
): Promise<void> {
  await tx
    .updateTable('missions')
    .set({ pending_advance_delivery_id: deliveryId })
    .where('workspace_id', '=', mission.workspace_id)
    .where('id', '=', mission.id)
    .execute()
}

/** The step of a delivery that was made before. */
export async function advanceLater(
  tx: UnitOfWork,
  of: Pick<AdvanceFacts, 'mission' | 'delivered' | 'delivery'>,
): Promise<void> {
  const { workspace_id: workspaceId, id: mission } = of.mission
  const { launches, ...upcoming } = await gather(tx, {
    ...selectUpcoming(tx, { workspaceId, mission, objective: of.delivered.id }),
    launches: selectLaunchOf(tx, of.delivery),
  })
  await step(tx, { ...of, launch: launches[0], upcoming, warnings: collectWarnings() })
}

/** The step itself. A refusal is a result and no failure: the objective waits for a person who sees the reason. */
async function step(tx: UnitOfWork, facts: AdvanceFacts): Promise<DeliverAnswer['next']> {
  const { mission, launch, upcoming } = facts
  const [nextUp] = upcoming.next
  const entryOf = (objective: ObjectiveRow | undefined) =>
    upcoming.entries.find((one) => one.objective_id === objective?.id)
  const next = entryOf(nextUp)
  const unpassed = reasonOf(facts.delivery)
  await followDelivery(tx, facts.delivered, { own: entryOf(facts.delivered), next, unpassed })
  // what is queued is the queue's to launch. Decision 75.
  if (next) return null
  if (!nextUp || nextUp.state === 'awaiting_approval') return null
  const busy = !mission.allow_parallel_objectives && upcoming.active.length > 0
  if (busy) return null
  const waiting = { mission, delivered: facts.delivered, nextUp, launch }
  if (unpassed) return awaitApproval(tx, waiting, unpassedRefusal(mission, facts, unpassed))
  if (!mission.auto_advance) return awaitApproval(tx, waiting, null)
  if (nextUp.last_outcome === 'cancelled') return awaitApproval(tx, waiting, wasCancelled())

  const launched = await savepoint(tx, () => launchNext(tx, facts, waiting))
  if (launched.ok) return launched.value
  if (!isServiceError(launched.error)) throw launched.error
  return awaitApproval(tx, waiting, launched.error)
}

/** Why the delivery starts nothing: its checks did not pass. Decision 88. */
function reasonOf({ checks }: DeliveryRow): UnpassedReason | undefined {
  if (checks === null || checks.outcome === 'passed') return undefined
  return checks.outcome === 'failed' ? 'check_failed' : 'check_not_run'
}

function unpassedRefusal(
  mission: MissionRecord,
  { delivered, delivery: { checks } }: AdvanceFacts,
  code: UnpassedReason,
): Refusal {
  const failed = checks?.results.filter(({ outcome }) => outcome !== 'passed').map(describeCheck)
  const why = checks?.reason ?? failed?.join('; ') ?? ''
  const what = code === 'check_failed' ? 'with a check that failed' : 'without its check being run'
  const message = `${displayIdOf(mission, delivered)} was delivered ${what} (${why}), so a person decides whether to go on.`
  return { code, message: cutText(message, limits.warningCharacters) }
}

/** Why the objective waits for a person. */
interface Refusal {
  code: string
  message: string
}

function wasCancelled(): ServiceError {
  return new ServiceError(
    'invalid_transition',
    'Its last run was cancelled, so a person starts it again.',
  )
}

interface Waiting extends Pick<AdvanceFacts, 'mission' | 'delivered' | 'launch'> {
  nextUp: ObjectiveRow
}

async function launchNext(
  tx: UnitOfWork,
  facts: AdvanceFacts,
  { mission, nextUp, launch }: Waiting,
): Promise<DeliverAnswer['next']> {
  const { delivered } = facts
  const requestedBy = await requireLauncher(tx, mission)
  const agent = launch?.agent
  const { model, reasoning_effort } = delivered
  const before = agent === undefined ? undefined : { agent, model, reasoning_effort }
  const choice = inheritChoice(nextUp, before)
  if (!choice) {
    throw new ServiceError(
      'no_agent',
      'Neither it nor the launch that was delivered names an agent; choose one when launching it.',
    )
  }
  const { workspace_id: workspaceId, project_id: project } = mission
  const ids = { workspaceId, project, mission: mission.id, objective: nextUp.id }
  const { request } = await queueLaunch(tx, {
    mission,
    objective: nextUp,
    extraReads: await gather(tx, selectForLaunch(tx, ids)),
    choice,
    requestedBy,
    source: 'auto_advance',
    advancedBy: facts.delivery.id,
  })
  return {
    objectiveId: nextUp.id,
    state: 'launching',
    // kept with the delivery for whoever reads it
    executionRequest: await viewRequest(tx, null, request),
  }
}

/** The launch that a delivery is of. */
function selectLaunchOf(tx: Tx, { workspace_id, session_id }: DeliveryRow) {
  const request = sql<string>`(
    select execution_request_id from agent_sessions
     where workspace_id = ${workspace_id} and id = ${session_id})`
  return tx
    .selectFrom('execution_requests')
    .select(['agent', 'requested_by'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', request)
}

/** Who turned `auto_advance` on must still have the right to launch at this moment. Decision 28. */
async function requireLauncher(tx: Tx, mission: MissionRecord): Promise<string> {
  const userId = mission.auto_advance_set_by ?? mission.created_by
  const person = { workspaceId: mission.workspace_id, userId }
  if (await mayNow(tx, 'execution_request:create', person)) return userId
  throw new ServiceError(
    'forbidden',
    'The person who turned auto-advance on may no longer launch. Launch it yourself, or turn auto-advance on again.',
  )
}

async function awaitApproval(
  tx: UnitOfWork,
  { mission, delivered, nextUp, launch }: Waiting,
  refusal: Refusal | null,
): Promise<DeliverAnswer['next']> {
  const reason = refusal && { code: refusal.code, message: refusal.message }
  const objective = await moveObjective(tx, 'awaitApproval', {
    mission,
    objective: nextUp,
    set: { approval_refusal: reason, addressed_to: delivered.addressed_to },
    payload: {},
  })
  recordEvent(
    tx,
    byService,
    { objective: nextUp },
    {
      type: 'awaiting_approval',
      summary: `${displayIdOf(mission, nextUp)} waits ${reason ? `for a person: ${reason.message}` : 'for approval'}`,
    },
  )
  await notifyOfObjective(
    tx,
    { mission, objective, request: launch },
    {
      kind: 'awaiting_approval',
      what: 'awaits approval',
      next: launchStep({ mission, objective }, launch?.agent),
    },
  )
  return { objectiveId: nextUp.id, state: 'awaiting_approval' }
}
