import type { Objective } from '@svc/contracts/objective'
import type { World } from '@svc/domain/testing/open-world'

export const many = (count: number) => Array.from({ length: count }, (_, index) => index)
export const parallel = { allowParallelObjectives: true }

export type Race = (world: World, claims: number) => Promise<void>

/** Two queues of one project, with entries of two missions crosswise in them. */
export async function crossed(world: World) {
  const { alice, project, mission } = await world.missionWith(['a', 'b', 'c', 'd'], parallel)
  const other = await world.missionWith(['e', 'f', 'g', 'h'], { project, ...parallel })
  const { queue: second } = await alice.call('createRunQueue', { id: project.id, name: 'Second' })
  const [first] = (await alice.call('listRunQueues', { id: project.id })).queues
  const queueIds = [first?.id ?? '', second.id]
  const objectives: Objective[] = [...mission.objectives, ...other.mission.objectives]
  for (const [index, { id }] of objectives.entries()) {
    await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
    const queue = queueIds[(index + Math.floor(index / 4)) % 2] ?? ''
    await alice.call('queueObjective', { objectiveId: id, queue })
  }
  const runner = await world.connectedRunner(project)
  return { alice, project, missions: [mission, other.mission], objectives, queueIds, runner }
}

/** One run of an attached agent, beside what others do. */
export async function attachedBeside(world: World, setUp: Parameters<World['missionWith']>[1]) {
  const { alice, mission, project } = await world.missionWith(['a', 'b', 'c', 'd'], setUp)
  const runner = await world.connectedRunner(project)
  const run = await world.attachedRun(mission.objectives[0], runner)
  return { alice, mission, project, ...run }
}
