import { createHash } from 'node:crypto'
import type { DeliverAnswer, ProtocolInput } from '@svc/contracts/protocol'
import { gather } from '@svc/db/gather'
import type { DeliveryRow, ProjectRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { findDeliveryOf } from '../entities/deliveries/queries.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { viewMission } from '../entities/missions/views.ts'
import { isDeleted } from '../entities/objectives/queries.ts'
import { selectChecks } from '../entities/projects/queries.ts'
import { type Upcoming, selectUpcoming } from '../launching/advance.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { inTransaction, refuseAfterCommit } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { collectWarnings } from '../common/warnings.ts'
import { type SessionCall, lockSessionCall, refuseIfOver } from '../sessions/call.ts'
import { checksBefore, pushCheck } from '@svc/contracts/check'
import { judgeChecks } from './judge-checks.ts'
import { type Work, completeObjective } from './complete.ts'
import { missingSession } from '../sessions/require-session.ts'
import { replyOf } from '../entities/sessions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Input = ProtocolInput<'deliver'>

/**
 * Delivers the session's objective. Sent again with the same content it answers with the same delivery. A delivery
 * wins: it completes an objective whose run was held lost, as long as nothing was launched in its place.
 * spec: States and transitions, row 8.
 */
export async function deliver(
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<DeliverAnswer> {
  const around = aroundOf(context)
  return inTransaction(context, (tx) => deliverIn(tx, actor, { ...input, ...around }))
}

/** What a delivery is taken by in addition to what its caller sent. */
export interface Around extends Pick<Work, 'composes'> {
  leaseSeconds: number
  /** The caller's word that this call is the same one as before. */
  keyHash: Buffer | undefined
}

export function aroundOf({ domain, idempotency }: UseCase): Around {
  const { composes, seconds } = domain
  return { composes, leaseSeconds: seconds.lease, keyHash: idempotency?.keyHash }
}

/** The same in the caller's transaction. */
export async function deliverIn(
  tx: UnitOfWork,
  actor: Actor,
  input: Input & Around,
): Promise<DeliverAnswer> {
  const { workspaceId } = actor
  const contentHash = hashContent(input)
  const call = await lockSessionCall(tx, actor, 'session:deliver', {
    ...input,
    isDeletedToo: true,
    extraReads: ({ project, mission, objective }) => ({
      projects: selectChecks(workspaceId, project),
      ...selectUpcoming(tx, { workspaceId, mission, objective }),
    }),
  })
  const known = await findRepeated(tx, call, contentHash)
  if (known) return answerAgain(call, known)
  // a run that is being cancelled with what was deleted may still win; nothing else is done there
  if (isDeleted(call) && call.objective.state !== 'executing') {
    throw await missingSession(tx, actor, input)
  }
  refuseIfOver(call)
  const verdict = judgeCall(tx, call, { ...input, contentHash })
  if (!verdict.isTaken) {
    const { refusal, keep } = verdict
    if (keep === undefined || !call.request) throw refusal
    tx.pending.move('execution_requests', call.request, { checks: keep })
    return refuseAfterCommit(refusal)
  }
  const { checks } = verdict
  const work = { ...input, contentHash, checks, warnings: collectWarnings() }
  const executing = await passThroughExecuting(tx, call)
  return completeObjective(tx, executing, work, executing.extraReads)
}

type DeliverCall = SessionCall & {
  extraReads: Upcoming & { projects: readonly Pick<ProjectRow, 'checks'>[] }
}

function judgeCall(
  tx: UnitOfWork,
  call: DeliverCall,
  { contentHash, keyHash, leaseSeconds }: Around & Pick<Work, 'contentHash'>,
): ReturnType<typeof judgeChecks> {
  const { objective, request } = call
  const { checks = {} } = call.extraReads.projects[0] ?? {}
  return judgeChecks({
    names: [
      ...checksBefore(Object.keys(checks), objective.chosen_check),
      ...(request?.prepared?.pushes ? [pushCheck] : []),
    ],
    checks,
    request,
    isDeleted: isDeleted(call),
    caller: (keyHash ?? contentHash).toString('hex').slice(0, 32),
    isKeyed: keyHash !== undefined,
    now: tx.locks.now,
    leaseSeconds,
  })
}

export function hashContent({ summary, report, artifacts, changeRationales }: Input): Buffer {
  const content = JSON.stringify([summary, report ?? null, artifacts ?? [], changeRationales ?? []])
  return createHash('sha256').update(content).digest()
}

async function findRepeated(
  tx: Tx,
  { session }: SessionCall,
  contentHash: Buffer,
): Promise<DeliveryRow | undefined> {
  if (session.end_reason !== 'delivered') return undefined
  const delivery = await findDeliveryOf(tx, session)
  return delivery?.content_hash.equals(contentHash) ? delivery : undefined
}

/** A lost objective is completed all the same; it leaves `executing` before the commit and so takes no slot. */
async function passThroughExecuting(tx: UnitOfWork, call: DeliverCall): Promise<DeliverCall> {
  const { mission, objective, request } = call
  if (objective.state === 'executing') return call
  const revived = await moveObjective(tx, 'revive', {
    mission,
    objective,
    takesNoSlot: true,
    set: { approval_refusal: null },
  })
  const ids = { workspaceId: mission.workspace_id, mission: mission.id, objective: objective.id }
  return {
    ...call,
    objective: revived,
    // those that follow may have changed their places
    extraReads: { ...call.extraReads, ...(await gather(tx, selectUpcoming(tx, ids))) },
    request: request?.outcome === 'lost' ? moveRequest(tx, 'revive', request) : request,
  }
}

function answerAgain(
  { mission, objective, request }: SessionCall,
  delivery: DeliveryRow,
): DeliverAnswer {
  return {
    deliveryId: delivery.id,
    objective: viewObjective(mission, objective),
    mission: viewMission(mission),
    next: delivery.next,
    warnings: delivery.warnings,
    ...replyOf({ request, question: undefined }),
  }
}
