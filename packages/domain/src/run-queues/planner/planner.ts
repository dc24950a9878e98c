import { isServiceError } from '@svc/contracts/errors'
import type { RunQueueRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { inTransaction, savepoint } from '../../commit/transaction.ts'
import type { Domain } from '../../domain.ts'
import { lockMission, lockObjectiveOf } from '../../lifecycle/locks.ts'
import { where } from '../../states/states.ts'
import { readFacts } from './facts.ts'
import { launchEntry } from './launch-entry.ts'
import { type Plan, planQueue, reasonOf } from './plan.ts'
import { lockQueue, readQueue, saveQueue } from '../queries.ts'
import { type Entry, putOff } from '../../entities/run-queues/queue.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Found = Pick<RunQueueRow, 'workspace_id' | 'id'>

const page = 100
const tries = 3

/**
 * Makes the pending advance of each queue: launches its next entry. Any number of processes may do this, and each may die anywhere:
 * what is decided without locks is decided again under them.
 */
export async function advanceQueues(domain: Domain): Promise<number> {
  let launched = 0
  let after: Found = { workspace_id: nil, id: nil }
  for (;;) {
    const due = await findDue(domain, after)
    for (const found of due) if (await guarded(domain, found)) launched += 1
    const last = due.at(-1)
    if (!last || due.length < page) return launched
    after = last
  }
}

const nil = '00000000-0000-0000-0000-000000000000'

const isFree = sql`not exists (
  select from run_queue_entries f
   where f.workspace_id = q.workspace_id and f.run_queue_id = q.id
     and ${where.inFlight('f')})`

/** Unpaused, with a pending advance or a granted turn, and nothing in flight. */
async function findDue({ db }: Domain, after: Found): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with pending as (
      select q.workspace_id, q.id from run_queues q
       where q.advance_pending_since is not null and q.paused_at is null and ${isFree}
         and (q.workspace_id, q.id) > (${after.workspace_id}::uuid, ${after.id}::uuid)
       order by q.workspace_id, q.id limit ${page}
    ), granted as (
      select distinct q.workspace_id, q.id
        from run_queue_entries e
        join run_queues q on q.workspace_id = e.workspace_id and q.id = e.run_queue_id
       where e.turn_granted_by is not null and e.state = 'waiting'
         and q.paused_at is null and ${isFree}
         and (e.workspace_id, e.run_queue_id) > (${after.workspace_id}::uuid, ${after.id}::uuid)
       order by q.workspace_id, q.id limit ${page}
    )
    select workspace_id, id from (select * from pending union select * from granted) as due
     order by workspace_id, id limit ${page}`.execute(db)
  return rows
}

/** One queue that cannot be planned must not keep the others from it. */
async function guarded(domain: Domain, found: Found): Promise<boolean> {
  try {
    return await advanceQueue(domain, found)
  } catch (error) {
    // its mission was deleted meanwhile
    if (isServiceError(error) && error.code === 'not_found') return false
    domain.log.error({ err: error, id: found.id }, 'a run queue could not be advanced')
    return false
  }
}

async function advanceQueue(domain: Domain, { workspace_id, id }: Found): Promise<boolean> {
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const queue = await readQueue(domain.db, workspace_id, id)
    if (!queue) return false
    const { next } = planQueue(queue, await readFacts(domain.db, queue))
    const outcome = await inTransaction({ domain }, (tx) =>
      next ? dispatchNext(tx, next.entry) : writeReasons(tx, { workspace_id, id }),
    )
    if (outcome !== 'changed') return outcome === 'launched'
  }
  return false
}

type Outcome = 'launched' | 'nothing' | 'changed'

async function dispatchNext(tx: UnitOfWork, chosen: Entry): Promise<Outcome> {
  const { workspace_id: workspaceId, run_queue_id: queueId } = chosen
  const mission = await lockMission(tx, workspaceId, chosen.mission_id)
  const objective = await lockObjectiveOf(tx, mission, chosen.objective_id)
  const { queue, plan } = await planLocked(tx, workspaceId, queueId)
  if (!queue || !objective || plan?.next?.entry.id !== chosen.id) return 'changed'
  const { entry, choice } = plan.next
  const judged = await saveQueue(tx, queue, plan.queue, 'plan')
  const launched = await savepoint(tx, () =>
    launchEntry(tx, {
      mission,
      objective,
      choice,
      requestedBy: entry.turn_granted_by ?? entry.queued_by,
    }),
  )
  if (launched.ok) return 'launched'
  // the launch asks last, and of more than the plan knew
  const reason = isServiceError(launched.error) ? reasonOf(launched.error.code) : undefined
  if (reason === undefined) throw launched.error
  await saveQueue(tx, judged, putOff(judged, entry.id, reason), 'plan')
  return 'nothing'
}

/** Those that nothing can be launched of now: what each entry waits for, under the queue's lock alone. */
async function writeReasons(tx: UnitOfWork, { workspace_id, id }: Found): Promise<Outcome> {
  const { queue, plan } = await planLocked(tx, workspace_id, id)
  if (!queue || !plan) return 'nothing'
  if (plan.next) return 'changed'
  await saveQueue(tx, queue, plan.queue, 'plan')
  return 'nothing'
}

async function planLocked(tx: Tx, workspaceId: string, id: string) {
  const queue = await lockQueue(tx, workspaceId, id)
  const plan: Plan | undefined = queue && planQueue(queue, await readFacts(tx, queue))
  return { queue, plan }
}
