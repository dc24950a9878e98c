import { type Prepare, type Prepared, type Scene, attached, protocol, scene } from './scene.ts'

const note = { type: 'note', label: 'Notes', contentText: 'All of it.' }
const work = {
  summary: 'Done and checked.',
  artifacts: [note],
  changeRationales: [
    { file_path: 'a.txt', label: 'a', summary: 'a', why: 'because', impact: 'none' },
  ],
}

export async function prepareDelivery(at: Scene): Promise<Prepared['call']> {
  const { agent } = await attached(at)
  return protocol(at.runner, 'deliver', { sessionKey: agent.sessionKey(), ...work })
}

/** What agents hand in. */
export const agentOperations = {
  async 'delivery that advances'(world) {
    const at = await scene(world, { auto_advance: true })
    return { ...at, call: await prepareDelivery(at) }
  },
  async 'delivery of a run that is deleted'(world) {
    const at = await scene(world, { auto_advance: true })
    const { agent, lease } = await attached(at)
    const missionIds = [at.mission.id]
    await at.alice.call('deleteMissions', { missionIds, confirm: true, running: [lease.id] })
    const sent = { sessionKey: agent.sessionKey(), ...work }
    return { ...at, call: protocol(at.runner, 'deliver', sent) }
  },
  async 'delivery that advances a queue'(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    return { ...at, call: await prepareDelivery(at) }
  },
  async 'record of work on what is queued'(world) {
    const at = await scene(world)
    await at.alice.launch(at.a)
    return {
      ...at,
      call: protocol(at.alice, 'record-work', { objectiveId: at.a.displayId, ...work }),
    }
  },
  async 'record of work that nobody had planned'(world) {
    const at = await scene(world)
    await attached(at)
    const recorded = { missionId: at.mission.id, title: 'As well', ...work }
    return { ...at, call: protocol(world.bob, 'record-work', recorded) }
  },
  async artifact(world) {
    const at = await scene(world)
    const { agent } = await attached(at)
    const added = { sessionKey: agent.sessionKey(), ...note }
    return { ...at, call: protocol(at.runner, 'add-artifact', added) }
  },
  async 'change of an artifact'(world) {
    const at = await scene(world)
    const { agent } = await attached(at)
    const { artifact } = await at.alice.call('createArtifact', { id: at.mission.id, ...note })
    const changed = { artifactId: artifact.id, expectedRevision: artifact.revision }
    const sessionKey = agent.sessionKey()
    const call = protocol(at.runner, 'update-artifact', { sessionKey, ...changed, label: 'New' })
    return { ...at, call }
  },
} satisfies Record<string, Prepare>
