import { agentSaid } from '@svc/contracts/describe-exit'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Domain } from '../domain.ts'
import { advanceLater, setPendingAdvance } from '../launching/advance.ts'
import { byService, recordChange } from '../commit/records.ts'
import { countRun, countsUnreported } from '../lifecycle/count-run.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { eachDue } from '../commit/each-due.ts'
import { inTransaction } from '../commit/transaction.ts'
import { expireQuestions } from '../questions/expire.ts'
import { repairQueues } from '../run-queues/repair.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { cancelRun } from '../execution-requests/cancel.ts'
import { endCancelled } from '../execution-requests/end-cancelled.ts'
import { endAttachedRun, endWork, failRun, requeueRun } from '../execution-requests/end.ts'
import { notifyOfNoRunner } from '../runners/no-runner.ts'
import { removeGone } from '../runners/remove.ts'
import { findLiveRequest } from '../entities/execution-requests/queries.ts'
import { markSilent, moveSession } from '../lifecycle/move-session.ts'
import { where } from '../states/states.ts'
import { type Run, lockKnown, lockRun } from '../lifecycle/lock-run.ts'
import { lockMission, lockObjectiveOf } from '../lifecycle/locks.ts'

/** Sessions that fall silent in one statement. */
const batch = 100

/** A longer gap between two passes is our own outage, and nobody's silence. Decision 13. */
const outageSeconds = 30

/**
 * Ends what time has ended. Each step is one statement, or finds its rows without locks and takes each by itself
 * (`eachDue`); so any number of processes may sweep, and each may die anywhere.
 */
export async function sweep(domain: Domain): Promise<void> {
  await forgiveOutage(domain)
  await eachRequest(domain, ofDeletedWorkspace, cancelForGood)
  await eachRequest(domain, cancelOverdue(domain), forceCancel)
  await eachRequest(domain, leaseLapsed(domain), returnLapsed)
  await eachRequest(
    domain,
    sql`r.status = 'launched' and r.attach_by < app.now()`,
    expireUnattached,
  )
  await inTransaction({ domain }, (tx) => markSilent(tx, domain.seconds.stale, batch))
  await eachRequest(domain, silentTooLong(domain), loseSilent)
  await loseSessionsWithoutRequest(domain)
  await expireQuestions(domain)
  await repairWedged(domain)
  await eachRequest(domain, deliveredLongAgo(domain), closeDelivered)
  await makePendingAdvances(domain)
  await repairQueues(domain)
  await notifyOfNoRunner(domain)
  await removeGone(domain)
}

/** Leases, attach deadlines and silence clocks move forward by the time in which nobody could have been heard. */
async function forgiveOutage(domain: Domain): Promise<void> {
  await inTransaction({ domain }, async (tx) => {
    const { rows } = await sql<{ gap: number }>`
      update sweep_state s set last_pass_at = app.now()
        from (select last_pass_at from sweep_state for update) before
      returning extract(epoch from app.now() - before.last_pass_at)::float as gap`.execute(tx)
    const gap = rows[0]?.gap ?? 0
    if (gap <= Math.max(outageSeconds, 3 * domain.seconds.sweep)) return
    domain.log.warn({ seconds: gap }, 'nobody swept for a while; leases and deadlines are moved on')
    const { lease, attach } = domain.seconds
    // never beyond what a renewal would give now: who served meanwhile has heard of them
    await sql`update execution_requests
                 set lease_expires_at = least(lease_expires_at + make_interval(secs => ${gap}),
                       greatest(lease_expires_at, app.now() + make_interval(secs => ${lease}))),
                     lease_renewed_at = least(lease_renewed_at + make_interval(secs => ${gap}), app.now()),
                     cancel_requested_at = cancel_requested_at
                       + least(make_interval(secs => ${gap}), app.now() - cancel_requested_at),
                     -- a sum, of which nothing comes where there is none: least leaves out what is null
                     attach_by = attach_by + least(make_interval(secs => ${gap}),
                       greatest(interval '0', app.now() + make_interval(secs => ${attach}) - attach_by))
               where ${where.held()}`.execute(tx)
    await sql`update agent_sessions
                 set last_heard_at = least(last_heard_at + make_interval(secs => ${gap}), app.now())
               where ${where.watched()}`.execute(tx)
  })
}

/** Where none is deleted, which is asked once, no run is looked at; else the offset makes of each one look-up a run. */
const ofDeletedWorkspace = sql<boolean>`
  (select exists (select from workspaces where deleted_at is not null))
  and ${where.live('r')} and r.cancel_requested_at is null
  and exists (select from workspaces w
               where w.id = r.workspace_id and w.deleted_at is not null offset 0)`

function cancelForGood(tx: UnitOfWork, run: Run): Promise<unknown> {
  return cancelRun(tx, byService, run, 'the workspace was deleted')
}

/** Whoever was notified has not reported in time that the run is over. */
function cancelOverdue({ seconds }: Domain): RawBuilder<boolean> {
  return sql`r.cancel_requested_at is not null and r.ended_at is null
    and r.cancel_requested_at + make_interval(secs => ${seconds.cancel}) < app.now()`
}

/** Lease and the time in which a cut-off supervisor ends its agent: only then may another one start. */
function leaseLapsed({ seconds }: Domain): RawBuilder<boolean> {
  return sql`${where.held('r')}
    and (r.outcome is null or r.outcome = 'running')
    and r.lease_expires_at + make_interval(secs => ${seconds.lease / 4}) < app.now()
    and not exists (select from agent_sessions s
                     where s.workspace_id = r.workspace_id and s.execution_request_id = r.id
                       and s.generation = r.generation)`
}

/** The offset makes of the sessions one look-up a run. */
function silentTooLong({ seconds }: Domain): RawBuilder<boolean> {
  return sql`r.status = 'launched' and r.outcome = 'running'
    and exists (select from agent_sessions s
                 where s.workspace_id = r.workspace_id and s.execution_request_id = r.id
                   and s.generation = r.generation and ${where.liveSession('s')}
                   and greatest(s.last_heard_at, r.lease_renewed_at)
                       + make_interval(secs => ${seconds.lost}) < app.now() offset 0)`
}

/** A delivered run whose machine never came back to report its exit. */
function deliveredLongAgo({ seconds }: Domain): RawBuilder<boolean> {
  return sql`r.status = 'launched' and r.outcome = 'delivered' and r.ended_at is null
    and r.lease_expires_at + make_interval(secs => ${seconds.lost}) < app.now()`
}

type Found = Pick<ExecutionRequestRow, 'workspace_id' | 'id'>

function eachRequest(
  domain: Domain,
  condition: RawBuilder<boolean>,
  work: (tx: UnitOfWork, run: Run) => Promise<unknown>,
): Promise<void> {
  return eachDue(domain, {
    async find(most) {
      const { rows } = await sql<Found>`
        select r.workspace_id, r.id from execution_requests r where ${condition} order by r.id limit ${most}
        `.execute(domain.db)
      return rows
    },
    async lock(tx, { workspace_id, id }) {
      const run = await lockRun(tx, workspace_id, id)
      const { rows: still } = await sql`
        select from execution_requests r
         where r.workspace_id = ${workspace_id} and r.id = ${id} and ${condition}
        `.execute(tx)
      return still.length > 0 ? run : undefined
    },
    work,
  })
}

function forceCancel(tx: UnitOfWork, run: Run): Promise<unknown> {
  return endCancelled(tx, { run, author: byService }, { isOver: false })
}

function returnLapsed(tx: UnitOfWork, run: Run): Promise<unknown> {
  const back = { reason: 'lease_lapsed', costsAttempt: true }
  return requeueRun(tx, 'requeue', { run, author: byService }, back)
}

function expireUnattached(tx: UnitOfWork, run: Run): Promise<unknown> {
  const agentError = run.request.process?.agentError
  const message = `The agent was started and did not attach in time${agentSaid(agentError)}.`
  const failure = { code: 'attach_timeout', message, phase: 'attach' } as const
  return failRun(tx, 'expire', { run, author: byService, failure, agentError })
}

function loseSilent(tx: UnitOfWork, run: Run): Promise<unknown> {
  return endAttachedRun(tx, 'lose', { run, author: byService })
}

/** Nothing of its state changes: nobody is told. What it used is not known, and it counts all the same. */
async function closeDelivered(tx: UnitOfWork, { request }: Run): Promise<void> {
  const set = { ended_at: tx.locks.now, lease_expires_at: null }
  const closed = tx.pending.move('execution_requests', request, set)
  if (countsUnreported(closed)) countRun(tx, closed)
}

/** An agent that attached on its own has no request; its silence ends its session all the same. */
async function loseSessionsWithoutRequest(domain: Domain): Promise<void> {
  const silent = sql<boolean>`${where.watched('s')} and s.execution_request_id is null
    and s.last_heard_at + make_interval(secs => ${domain.seconds.lost}) < app.now()`
  await eachDue(domain, {
    async find(most) {
      const { rows } = await sql<
        Pick<AgentSessionRow, 'workspace_id' | 'id' | 'mission_id' | 'objective_id'>
      >`
        select s.workspace_id, s.id, s.mission_id, s.objective_id from agent_sessions s
         where ${silent} order by s.id limit ${most}`.execute(domain.db)
      return rows
    },
    async lock(tx, found) {
      const mission = await lockMission(tx, found.workspace_id, found.mission_id)
      const objective = await lockObjectiveOf(tx, mission, found.objective_id)
      const { rows: still } = await sql<AgentSessionRow>`
        select * from agent_sessions s
         where s.workspace_id = ${found.workspace_id} and s.id = ${found.id} and ${silent}
           for no key update`.execute(tx)
      const [session] = still
      return session && { mission, objective, session }
    },
    async work(tx, { mission, objective, session }) {
      if (!objective) return moveSession(tx, 'lose', session)
      return endWork(tx, 'lose', { mission, objective, session, author: byService })
    },
  })
}

/** An objective that is `launching` without a live request goes back; no crash of ours leaves one, a restore may. */
async function repairWedged(domain: Domain): Promise<void> {
  await eachDue(domain, {
    async find(most) {
      const { rows } = await sql<Pick<ObjectiveRow, 'workspace_id' | 'mission_id' | 'id'>>`
        select o.workspace_id, o.mission_id, o.id from objectives o
         where o.state = 'launching' and not exists (
           select from execution_requests r
            where r.workspace_id = o.workspace_id and r.objective_id = o.id
              and ${where.live('r')})
         limit ${most}`.execute(domain.db)
      return rows
    },
    async lock(tx, found) {
      const run = await lockKnown(tx, {
        workspaceId: found.workspace_id,
        missionId: found.mission_id,
        objectiveId: found.id,
        isDeletedToo: true,
        extraReads: () => ({}),
      })
      if (run?.objective.state !== 'launching') return undefined
      return (await findLiveRequest(tx, run.objective)) ? undefined : run
    },
    async work(tx, { mission, objective }) {
      const back = await moveObjective(tx, 'launchMissing', { mission, objective })
      await followRunEnd(tx, { mission, objective: back }, 'failed')
    },
  })
}

/** Makes the step after a delivery that could not be made then. */
async function makePendingAdvances(domain: Domain): Promise<void> {
  await eachDue(domain, {
    find: (most) =>
      domain.db
        .selectFrom('missions')
        .select(['workspace_id', 'id'])
        .where('pending_advance_delivery_id', 'is not', null)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(most)
        .execute(),
    async lock(tx, found) {
      const mission = await lockMission(tx, found.workspace_id, found.id)
      const { pending_advance_delivery_id: deliveryId } = mission
      return deliveryId === null ? undefined : { mission, deliveryId }
    },
    async work(tx, { mission, deliveryId }) {
      const delivery = await tx
        .selectFrom('deliveries')
        .selectAll()
        .where('workspace_id', '=', mission.workspace_id)
        .where('id', '=', deliveryId)
        .executeTakeFirstOrThrow()
      const delivered = await lockObjectiveOf(tx, mission, delivery.objective_id)
      if (delivered) await advanceLater(tx, { mission, delivered, delivery })
      await setPendingAdvance(tx, mission, null)
      recordChange(tx, { mission }, 'advance')
    },
  })
}
