import type { ToolName, ToolRequest } from '@svc/contracts/mcp/tools'
import type { World } from '@svc/domain/testing/world'

/** A tool without its call does not compile. */
export type ToolCalls = { [N in ToolName]: ToolRequest<N> }

/** One call of each tool, which alice may make, one after the other; the project has nothing but what they name. */
export async function callsOfAlice(world: World): Promise<ToolCalls> {
  const instructions = ['Work', 'Launch', 'Join', 'Record'] as const
  const set = await world.missionWith(instructions, { allowParallelObjectives: true })
  const { project, mission } = set
  const [work, launch, join, record] = mission.objectives
  const agent = world.agentOf(world.alice, { objectiveId: work.displayId })
  const { sessionKey } = await agent.attach()
  const note = { type: 'note', label: 'Kept', contentText: 'x' }
  const { artifact } = await world.alice.call('createArtifact', { id: mission.id, ...note })
  const objectiveId = work.displayId
  const otherMission = (await world.missionWith(['Drop', 'Then', 'Last'], { project })).mission
  const [drop, ...queued] = otherMission.objectives
  for (const { id } of queued) await world.alice.call('queueObjective', { objectiveId: id })
  const { queues } = await world.alice.call('listRunQueues', { id: project.id })
  const [{ id: queueId, entries } = { id: '', entries: [] }] = queues
  const gone = (await world.missionWith([])).mission
  return {
    svc_resolve_project: { query: project.slug },
    svc_create_project: { name: `Next to ${project.slug}` },
    svc_list_project_statuses: { projectId: project.id },
    svc_search_missions: { projectId: project.id },
    svc_create_mission: { projectId: project.id, title: 'Another' },
    svc_create_inbox_item: { title: 'Look at the logs' },
    svc_load_mission_context: { objectiveId },
    svc_list_deliveries: { missionId: mission.id },
    svc_launch_objective: { objectiveId: launch.displayId, agent: 'scripted' },
    svc_add_objectives: { missionId: mission.id, objectives: [{ instruction: 'Rest' }] },
    svc_update_objective: { objectiveId: join.displayId, instruction: 'Join in' },
    svc_list_run_queues: { projectId: project.id },
    svc_reorder_run_queue: { queueId, orderedEntryIds: entries.map(({ id }) => id).toReversed() },
    svc_queue_objective: { objectiveId: join.displayId },
    svc_manage_run_queue: { action: 'create', projectId: project.id, name: 'Night' },
    svc_delete_missions: { missionIds: [gone.displayId], confirm: true },
    svc_delete_objectives: { objectiveIds: [drop.id], confirm: true },
    svc_reorder_future_objectives: {
      missionId: otherMission.id,
      objectiveIds: otherMission.objectives.map(({ id }) => id).toReversed(),
    },
    svc_attach_session: { objectiveId: join.displayId, agentIdentifier: 'cloud' },
    svc_update_session: { sessionKey, text: 'Half done.' },
    svc_deliver_session: { sessionKey, summary: 'Done.' },
    svc_add_artifact: { objectiveId, ...note },
    svc_update_artifact: { objectiveId, artifactId: artifact.id, expectedRevision: 1, label: 'x' },
    svc_record_work: { objectiveId: record.displayId, summary: 'Done before.' },
  }
}
