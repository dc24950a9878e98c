import type { ArtifactInput } from '@svc/contracts/artifact'
import { type DeliveryChecks, describeCheck } from '@svc/contracts/check'
import type { DeliverAnswer } from '@svc/contracts/protocol'
import type { DeliveryRow } from '@svc/db/tables'
import { insertArtifact } from '../artifacts/add.ts'
import { queueComposition } from './queue-composition.ts'
import { readReport } from '../entities/deliveries/read-report.ts'
import { composeReport } from '../events/compose-report.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { newId } from '../common/ids.ts'
import { allowsRequest } from '../states/table.ts'
import { reviseMission } from '../commit/revise-mission.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { snapshotSession } from '../entities/missions/snapshot.ts'
import { viewMission } from '../entities/missions/views.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { isDeleted } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { closeQuestion } from '../execution-requests/close-question.ts'
import { takeShown } from '../sessions/take-answers.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import type { Warnings } from '../common/warnings.ts'
import { type Upcoming, advance } from '../launching/advance.ts'
import type { SessionCall } from '../sessions/call.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { drainLedger } from '../sessions/drain-ledger.ts'
import { readRationales, writeRationales } from '../sessions/rationales.ts'
import { replyOf } from '../entities/sessions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export interface Work {
  summary: string
  report?: unknown
  artifacts?: readonly ArtifactInput[] | undefined
  changeRationales?: unknown
  contentHash: Buffer
  /** What its checks came to; null where there are none. */
  checks: DeliveryChecks | null
  /** A model is to compose how the delivery is presented. */
  composes: boolean
  warnings: Warnings
}

/** All effects of row 8, in the caller's transaction and under its locks. */
export async function completeObjective(
  tx: UnitOfWork,
  spoken: SessionCall,
  work: Work,
  upcoming: Upcoming,
): Promise<DeliverAnswer> {
  const { warnings } = work
  const call = await takeShown(tx, spoken)
  const rationales = readRationales(work.changeRationales, warnings)
  if (call.hasBatches) await drainLedger(tx, call.objective, warnings)
  const delivery = insertDelivery(tx, call, work)
  if (work.checks && work.checks.outcome !== 'passed') warnings.add(describeUnpassed(work.checks))
  for (const artifact of work.artifacts ?? []) {
    await insertArtifact(tx, call.mission, {
      artifact,
      objectiveId: call.objective.id,
      deliveryId: delivery.id,
    })
  }
  await writeRationales(tx, { objective: call.objective, delivery }, rationales, warnings)
  recordDelivery(tx, call, delivery)
  if (work.composes) queueComposition(tx, delivery)

  const session = moveSession(tx, 'deliver', call.session)
  if (call.question) {
    const summary = 'The work was delivered without it'
    await closeQuestion(tx, 'withdraw', call.question, { author: call.author, summary })
  }
  const request = call.request && closeRequest(tx, call, call.request)
  const open_questions = call.mission.open_questions - (call.question?.status === 'open' ? 1 : 0)
  const mission = await moveMission(tx, 'deliver', {
    mission: tx.pending.move(
      'missions',
      { ...call.mission, open_questions },
      { addressed_to: call.objective.addressed_to },
    ),
    author: call.author,
  })
  const objective = await moveObjective(tx, 'deliver', {
    mission,
    objective: call.objective,
    set: { completed_at: tx.locks.now, last_outcome: null },
    payload: { session: snapshotSession(session), delivery: { id: delivery.id } },
  })
  const facts = { mission, delivered: objective, delivery, launch: request, upcoming, warnings }
  // nothing is launched by what was deleted
  const next = isDeleted(call) ? null : await advance(tx, facts)
  storeAnswer(tx, delivery, next, warnings)
  const after = {
    ...mission,
    revision: reviseMission(tx, mission),
    launches: mission.launches + (next?.executionRequest ? 1 : 0),
  }
  return {
    deliveryId: delivery.id,
    objective: viewObjective(mission, objective),
    mission: viewMission(after),
    next,
    warnings: warnings.list(),
    ...replyOf({ request, question: call.question }),
  }
}

function insertDelivery(tx: UnitOfWork, call: SessionCall, work: Work): DeliveryRow {
  const agentReport = readReport(work.report, work.warnings)
  const delivery: DeliveryRow = {
    workspace_id: call.mission.workspace_id,
    id: newId(),
    mission_id: call.mission.id,
    objective_id: call.objective.id,
    session_id: call.session.id,
    summary: work.summary,
    report: composeReport(work.summary, agentReport, work.composes),
    content_hash: work.contentHash,
    checks: work.checks,
    warnings: [],
    created_at: tx.locks.now,
    next: null,
  }
  tx.pending.insert('deliveries', delivery)
  return delivery
}

/** To the agent, which can do nothing more about it. */
function describeUnpassed({ reason, results }: DeliveryChecks): string {
  const failed = results.filter(({ outcome }) => outcome !== 'passed').map(describeCheck)
  return `It is delivered without a passed check, so a person decides what comes next: ${reason ?? failed.join('; ')}`
}

function recordDelivery(tx: UnitOfWork, call: SessionCall, delivery: DeliveryRow): void {
  recordEvent(
    tx,
    call.author,
    { objective: call.objective },
    {
      type: 'delivery',
      summary: delivery.summary,
      data: {
        deliveryId: delivery.id,
        ...(delivery.checks && { checks: delivery.checks.outcome }),
      },
    },
  )
  recordChange(tx, { delivery, mission: call.mission }, 'deliver', {
    objectiveId: call.objective.id,
  })
}

/** The run is delivered; its lease goes on until its process has ended. */
function closeRequest(
  tx: UnitOfWork,
  { author }: SessionCall,
  request: NonNullable<SessionCall['request']>,
) {
  if (!allowsRequest('deliver', request)) return request
  if (request.cancel_requested_at === null) return moveRequest(tx, 'deliver', request)
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'cancel_superseded',
      summary: 'The agent delivered before the run was ended: the delivery stands',
      data: { executionRequestId: request.id },
    },
  )
  const set = { cancel_requested_at: null, cancel_reason: null }
  return moveRequest(tx, 'deliver', request, set)
}

/** Kept for a repeated call, which gets the same answer. */
function storeAnswer(
  tx: UnitOfWork,
  delivery: DeliveryRow,
  next: DeliverAnswer['next'],
  warnings: Warnings,
): void {
  const list = warnings.list()
  if (list.length === 0 && next === null) return
  tx.pending.move('deliveries', delivery, { warnings: list, next })
}
