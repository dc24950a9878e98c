import { type Prepare, attached, route, scene } from './scene.ts'

/** What people do with missions and objectives as a whole. */
export const missionOperations = {
  async reorder(world) {
    const at = await scene(world)
    const objectiveIds = [at.c.id, at.a.id, at.b.id]
    const order = { id: at.mission.id, objectiveIds }
    return { ...at, call: route(at.alice, 'reorderFutureObjectives', order) }
  },
  async 'completion of a mission in which one runs and one is queued'(world) {
    const at = await scene(world, { allowParallelObjectives: true })
    await attached(at)
    await at.alice.launch(at.b)
    const { statuses } = await at.alice.call('listProjectStatuses', { id: at.projectId })
    const statusId = statuses.find(({ type }) => type === 'complete')?.id ?? ''
    const move = { id: at.mission.id, statusId, cancelRunning: true }
    return { ...at, call: route(at.alice, 'moveMission', move) }
  },
  async 'delete of missions'(world) {
    const at = await scene(world)
    const other = (await world.missionWith(['d'], { project: at.project })).mission
    await at.enqueue(at.b, other.objectives[0])
    await at.alice.launch(at.a)
    const missionIds = [at.mission.id, other.id]
    return { ...at, call: route(at.alice, 'deleteMissions', { missionIds, confirm: true }) }
  },
  async 'delete of missions of which one runs'(world) {
    const at = await scene(world)
    const other = (await world.missionWith(['d'], { project: at.project })).mission
    const { lease } = await attached(at)
    const sent = { missionIds: [at.mission.id, other.id], confirm: true, running: [lease.id] }
    return { ...at, call: route(at.alice, 'deleteMissions', sent) }
  },
  async 'delete of objectives'(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    await at.alice.launch(at.a)
    const objectiveIds = [at.a.id, at.b.id]
    return { ...at, call: route(at.alice, 'deleteObjectives', { objectiveIds, confirm: true }) }
  },
  async 'restore of a mission'(world) {
    const at = await scene(world)
    await at.alice.call('submitObjective', { id: at.b.id })
    await at.alice.call('deleteMissions', { missionIds: [at.mission.id], confirm: true })
    return { ...at, call: route(at.alice, 'restoreMission', { id: at.mission.id }) }
  },
  async 'restore of an objective'(world) {
    const at = await scene(world)
    await attached(at)
    await at.alice.call('deleteObjectives', { objectiveIds: [at.b.id], confirm: true })
    return { ...at, call: route(at.alice, 'restoreObjective', { id: at.b.id }) }
  },
} satisfies Record<string, Prepare>
