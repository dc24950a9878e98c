import type { World } from '../../testing/world.ts'

type Stage = 'claimed' | 'launching' | 'launched' | 'attached'

/** A run that has come so far. */
export async function runAt(world: World, stage: Stage) {
  const { alice, mission } = await world.missionWith(['write the docs', 'read them'])
  const [objective, next] = mission.objectives
  await alice.call('submitObjective', { id: objective.id })
  const runner = await world.connectedRunner({ id: mission.projectId })
  await alice.launch(objective)
  const lease = await runner.take()
  const agent = runner.agent(lease)
  if (stage !== 'claimed') await runner.launching(lease)
  if (stage === 'launched' || stage === 'attached') await runner.launched(lease)
  if (stage === 'attached') await agent.attach()
  const cancel = () =>
    alice.call('cancelExecutionRequest', { id: lease.id, reason: 'the wrong branch' })
  return { alice, mission, objective, next, runner, lease, agent, cancel }
}

export const cancelledExit = { exitCode: null, signal: 'SIGINT', cause: 'cancelled' } as const
