import type { RunStage } from '../../testing/runs.ts'
import type { World } from '../../testing/world.ts'

/** A run that has come so far, of an objective that was submitted, and its mission has another one. */
export async function runAt(world: World, stage: RunStage) {
  const { alice, mission } = await world.missionWith(['write the docs', 'read them'])
  const [objective, next] = mission.objectives
  await alice.call('submitObjective', { id: objective.id })
  const run = await world.runUpTo(stage, objective)
  const cancel = () =>
    alice.call('cancelExecutionRequest', { id: run.lease.id, reason: 'the wrong branch' })
  return { alice, mission, objective, next, ...run, cancel }
}

export const cancelledExit = { exitCode: null, signal: 'SIGINT', cause: 'cancelled' } as const
