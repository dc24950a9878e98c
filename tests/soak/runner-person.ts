import { isServiceError } from '@svc/contracts/errors'
import type { ObjectiveState } from '@svc/contracts/states'
import { sql } from 'kysely'
import type { Ground, Task } from './runner-ground.ts'

/** So many runs at once keep two cores busy, and their processes fit into the memory. */
const runsAtOnce = 16

/** Launches what can be launched, and again what ended without a delivery. */
export interface Person {
  /** One look at everything; true once all is delivered. */
  look: () => Promise<boolean>
  launches: () => number
  delivered: () => number
  /** How often the service refused a launch, by its code. */
  refusals: ReadonlyMap<string, number>
}

export function createPerson({ service, client, tasks }: Ground): Person {
  const { db } = service.domain
  const refusals = new Map<string, number>()
  let launches = 0
  let delivered = 0

  async function launch({ id, resourceKey, agent }: Task): Promise<void> {
    const choice = { id, agent, ...(resourceKey !== undefined && { resourceKey }) }
    try {
      const signal = AbortSignal.timeout(5_000)
      await client.call('launchObjective', choice, { signal, retry: { attempts: 1 } })
      launches += 1
    } catch (error) {
      // the process of the service may just be dead
      const code = isServiceError(error) ? error.code : 'unreachable'
      refusals.set(code, (refusals.get(code) ?? 0) + 1)
    }
  }

  return {
    launches: () => launches,
    delivered: () => delivered,
    refusals,
    async look() {
      await sql`update execution_requests set run_after = app.now()
                 where status = 'queued' and run_after > app.now()`.execute(db)
      const { rows } = await sql<{ id: string; state: ObjectiveState }>`
        select id, state from objectives where id = any(${tasks.map(({ id }) => id)})`.execute(db)
      const states = new Map(rows.map(({ id, state }) => [id, state]))
      const stateOf = ({ id }: Task) => states.get(id) ?? 'draft'
      const running = tasks.filter((task) => isRunning(stateOf(task)))
      delivered = tasks.filter((task) => stateOf(task) === 'complete').length
      const busy = new Set(running.map(({ missionId }) => missionId))
      let free = runsAtOnce - running.length
      for (const task of tasks) {
        if (free <= 0) break
        if (stateOf(task) === 'complete' || isRunning(stateOf(task))) continue
        if (busy.has(task.missionId) && !task.isParallel) continue
        busy.add(task.missionId)
        await launch(task)
        free -= 1
      }
      return delivered === tasks.length
    },
  }
}

function isRunning(state: ObjectiveState): boolean {
  return state === 'launching' || state === 'executing'
}
