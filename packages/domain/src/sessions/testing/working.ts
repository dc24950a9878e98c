import { rationaleOf, sendLedger, twoArtifacts } from '../../testing/samples.ts'
import type { World } from '../../testing/world.ts'

export const many = Array.from({ length: 8 }, (_, index) => `step ${index}`)

export async function workOn(
  world: World,
  objective: { id: string; displayId: string },
): Promise<void> {
  const agent = world.agentOf(world.alice, { objectiveId: objective.displayId })
  await agent.attach()
  await Promise.all([
    agent.update({ changeRationales: [rationaleOf('a.ts')] }),
    agent.heartbeat(),
    sendLedger(world.alice, {
      agent,
      objective,
      items: [{ filePath: 'a.ts', vcsStatus: 'added' }],
    }),
    ...twoArtifacts.map((artifact) =>
      world.alice.protocol('add-artifact', { sessionKey: agent.sessionKey(), ...artifact }),
    ),
  ])
  await agent.deliver({ artifacts: twoArtifacts, changeRationales: [rationaleOf('b.ts')] })
}
