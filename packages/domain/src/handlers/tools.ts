import type { z } from 'zod'
import { instructionsForTools as agentInstructions } from '@svc/contracts/agent-instructions'
import type { LaunchWarning } from '@svc/contracts/execution-request'
import { appPages } from '@svc/contracts/links'
import { toolStep } from '@svc/contracts/mcp/next-step'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import { isObjectiveDisplayId, missionOfDisplayId } from '@svc/contracts/ids'
import { restContracts } from '@svc/contracts/rest'
import { boundOutput } from '@svc/contracts/mcp/tool-bounds'
import {
  type ToolInput,
  type ToolName,
  type ToolOutput,
  toolContract,
} from '@svc/contracts/mcp/tools'
import type { Actor } from '../common/actor.ts'
import { listDeliverySummaries } from '../deliveries/summaries.ts'
import { createInboxItem } from '../inbox/create.ts'
import { createMission } from '../missions/create.ts'
import { deleteMissions } from '../deletion/delete-mission.ts'
import { listMissions } from '../missions/read.ts'
import { addObjectives } from '../objectives/add.ts'
import { deleteObjectives } from '../deletion/delete-objective.ts'
import { launchObjective } from '../launching/launch.ts'
import { reorderFutureObjectives } from '../objectives/reorder.ts'
import { updateObjective } from '../objectives/update.ts'
import { createProject } from '../projects/create.ts'
import { listProjectStatuses } from '../projects/read.ts'
import { resolveProject } from '../entities/projects/resolve.ts'
import { listRunners } from '../runners/list.ts'
import { protocolHandlers } from './protocol.ts'
import { translateFailures } from './translate-failures.ts'
import {
  listRunQueuesTool,
  manageRunQueueTool,
  queueObjectiveTool,
  reorderRunQueueTool,
} from './run-queue-tools.ts'
import type { UseCase } from '../use-case.ts'
import { pageAddress } from '../workspaces/page-address.ts'

/** A tool without its handler, or with one of another shape, does not compile. */
export type ToolHandlers = {
  [N in ToolName]: (context: UseCase, actor: Actor, input: ToolInput<N>) => Promise<ToolOutput<N>>
}

export const toolHandlers: ToolHandlers = translateFailures<ToolHandlers>({
  svc_resolve_project: async (context, actor, input) => {
    const { project, candidates } = await resolveProject(context, actor, input)
    const { runners } = await listRunners(context, actor)
    const connected = runners.filter(({ state }) => state === 'connected')
    return {
      ...(project && { project: nameOf(project) }),
      candidates: candidates.map(nameOf),
      agents: [...new Set(connected.flatMap(({ agents }) => agents))].toSorted(),
    }
  },
  svc_create_project: async (context, actor, input) => {
    const complete = restContracts.createProject.body.parse(input)
    return { project: nameOf((await createProject(context, actor, complete)).project) }
  },
  svc_list_project_statuses: async (context, actor, { projectId }) => {
    const { project, statuses } = await listProjectStatuses(context, actor, { id: projectId })
    return { project: nameOf(project), statuses }
  },
  svc_search_missions: async (context, actor, input) => {
    const { missions, matches: _, ...page } = await listMissions(context, actor, input)
    const lines = missions.map((mission) => {
      const { id, displayId, title, status, priority, phase, hasOpenQuestion, updatedAt } = mission
      return { id, displayId, title, status, priority, phase, hasOpenQuestion, updatedAt }
    })
    return { missions: lines, ...page }
  },
  svc_create_mission: async (context, actor, input) => {
    const { mission, objectives } = await createMission(context, actor, {
      ...input,
      useWorktrees: null,
    })
    const page = await pageAddress(context, actor, appPages.mission(mission.displayId))
    return { mission, objectives: objectives.map(lineOf), ...page }
  },
  svc_create_inbox_item: async (context, actor, input) => {
    const order = { ...input, source: 'mcp' as const }
    return { item: (await createInboxItem(context, actor, order)).inboxItem }
  },
  svc_load_mission_context: async (context, actor, input) => {
    return { ...(await protocolHandlers['load-context'](context, actor, input)), agentInstructions }
  },
  svc_list_deliveries: listDeliverySummaries,
  svc_launch_objective: async (context, actor, { objectiveId, ...input }) => {
    const order = { ...input, id: objectiveId, source: 'mcp' as const }
    const { warnings, ...launched } = await launchObjective(context, actor, order)
    const page = await pageAddress(context, actor, appPages.objective(launched.objective.displayId))
    return { ...launched, warnings: warnings.map(inWords), ...page }
  },
  svc_add_objectives: async (context, actor, input) => {
    const { mission, objectives } = await addObjectives(context, actor, {
      ...input,
      id: input.missionId ?? missionOf(input.objectiveId),
    })
    return { mission, objectives: objectives.map(lineOf) }
  },
  svc_update_objective: (context, actor, { objectiveId, ...input }) =>
    updateObjective(context, actor, { ...input, id: objectiveId }),
  svc_list_run_queues: listRunQueuesTool,
  svc_reorder_run_queue: reorderRunQueueTool,
  svc_queue_objective: queueObjectiveTool,
  svc_manage_run_queue: manageRunQueueTool,
  svc_reorder_future_objectives: async (context, actor, { missionId, objectiveIds }) => {
    const order = { id: missionId, objectiveIds }
    const { mission, objectives } = await reorderFutureObjectives(context, actor, order)
    return { mission, objectives: objectives.map(lineOf) }
  },
  svc_delete_missions: deleteMissions,
  svc_delete_objectives: deleteObjectives,
  svc_attach_session: async (context, actor, input) => {
    return { ...(await protocolHandlers.attach(context, actor, input)), agentInstructions }
  },
  svc_update_session: protocolHandlers.update,
  svc_deliver_session: protocolHandlers.deliver,
  svc_add_artifact: protocolHandlers['add-artifact'],
  svc_update_artifact: protocolHandlers['update-artifact'],
  svc_record_work: protocolHandlers['record-work'],
})

/** The one way to call a tool, hosted and local: its result is bounded. `input` has been parsed by its contract. */
export async function callTool(
  context: UseCase,
  actor: Actor,
  name: ToolName,
  input: object,
): Promise<Record<string, unknown>> {
  type Handler = (context: UseCase, actor: Actor, input: object) => Promise<Record<string, unknown>>
  // each handler gets what its own contract has parsed, which a generic index cannot show
  const handler = toolHandlers[name] as unknown as Handler
  const offset = 'offset' in input && typeof input.offset === 'number' ? input.offset : 0
  return boundOutput(await handler(context, actor, input), toolContract(name).bounds, { offset })
}

function nameOf({ id, slug, name }: Project) {
  return { id, slug, name }
}

function lineOf({ id, displayId, position, title, state }: Objective) {
  return { id, displayId, position, title, state }
}

/** The step that helps, in the words of who has tools. */
function inWords({ code, message, next }: z.infer<typeof LaunchWarning>) {
  return { code, message: [message, next && toolStep(next)].filter(Boolean).join(' ') }
}

/** The contract has refused the UUID of an objective without its mission. */
function missionOf(objectiveId = ''): string {
  return isObjectiveDisplayId(objectiveId) ? missionOfDisplayId(objectiveId) : objectiveId
}
