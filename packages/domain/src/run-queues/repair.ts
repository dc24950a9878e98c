import { sql } from 'kysely'
import { eachDue } from '../commit/each-due.ts'
import type { Domain } from '../domain.ts'
import { lockMission, lockObjectiveOf } from '../lifecycle/locks.ts'
import { where } from '../states/states.ts'
import { followAttach, followRunEnd, leaveQueue } from './follow.ts'
import { findViolations } from '../entities/run-queues/invariants.ts'
import type { Entry } from '../entities/run-queues/queue.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Repairs entries in flight whose objective is not: no step of ours leaves one, a restored backup may. */
export async function repairQueues(domain: Domain): Promise<void> {
  await eachDue(domain, {
    async find(most) {
      const { rows } = await sql<Entry>`
        select e.* from run_queue_entries e
          join objectives o on o.workspace_id = e.workspace_id and o.id = e.objective_id
         where ${where.inFlight('e')}
           and o.state <> case e.state when 'dispatched' then 'launching' else 'executing' end
         order by e.workspace_id, e.id limit ${most}`.execute(domain.db)
      return rows
    },
    async lock(tx, entry) {
      const mission = await lockMission(tx, entry.workspace_id, entry.mission_id)
      const objective = await lockObjectiveOf(tx, mission, entry.objective_id)
      return objective && { of: { mission, objective }, entry }
    },
    work: repair,
  })
}

interface Stranded {
  of: Parameters<typeof leaveQueue>[1]
  entry: Entry
}

/** Brings the entry to the state that its objective is in. */
async function repair(tx: UnitOfWork, { of, entry }: Stranded): Promise<unknown> {
  const { state, last_outcome: outcome } = of.objective
  if (state === 'executing') return followAttach(tx, of.objective, entry)
  if (state === 'complete') return leaveQueue(tx, of)
  if (state !== 'launching') return followRunEnd(tx, of, outcome ?? 'failed')
  return undefined
}

/** Says what is broken, for an operator: nothing here repairs what no rule of ours lets happen. */
export async function checkQueues(domain: Domain): Promise<void> {
  const violations = await findViolations(domain.db, 'kept by nothing else')
  if (violations.length === 0) return
  domain.log.error({ violations }, 'run queues are not as they must be')
}
