import type { z } from 'zod'
import { endpointOf } from '../protocol.ts'
import type { EndpointContract } from '../rest/endpoint.ts'
import type { AnyToolContract } from './tool-contract.ts'
import { addArtifact } from './tools/add-artifact.ts'
import { addObjectives } from './tools/add-objectives.ts'
import { attachSession } from './tools/attach-session.ts'
import { createInboxItem } from './tools/create-inbox-item.ts'
import { createMission } from './tools/create-mission.ts'
import { createProject } from './tools/create-project.ts'
import { deleteMissions } from './tools/delete-missions.ts'
import { deleteObjectives } from './tools/delete-objectives.ts'
import { deliverSession } from './tools/deliver-session.ts'
import { launchObjective } from './tools/launch-objective.ts'
import { listDeliveries } from './tools/list-deliveries.ts'
import { listProjectStatuses } from './tools/list-project-statuses.ts'
import { listRunQueues } from './tools/list-run-queues.ts'
import { loadMissionContext } from './tools/load-mission-context.ts'
import { recordWork } from './tools/record-work.ts'
import { manageRunQueue } from './tools/manage-run-queue.ts'
import { queueObjective } from './tools/queue-objective.ts'
import { reorderRunQueue } from './tools/reorder-run-queue.ts'
import { reorderFutureObjectives } from './tools/reorder-future-objectives.ts'
import { resolveProject } from './tools/resolve-project.ts'
import { searchMissions } from './tools/search-missions.ts'
import { updateArtifact } from './tools/update-artifact.ts'
import { updateObjective } from './tools/update-objective.ts'
import { updateSession } from './tools/update-session.ts'

/** The hosted surface and the local one alike. spec: MCP tool catalog */
export const toolContracts = {
  svc_resolve_project: resolveProject,
  svc_create_project: createProject,
  svc_list_project_statuses: listProjectStatuses,
  svc_search_missions: searchMissions,
  svc_create_mission: createMission,
  svc_create_inbox_item: createInboxItem,
  svc_load_mission_context: loadMissionContext,
  svc_list_deliveries: listDeliveries,
  svc_launch_objective: launchObjective,
  svc_add_objectives: addObjectives,
  svc_update_objective: updateObjective,
  svc_list_run_queues: listRunQueues,
  svc_reorder_run_queue: reorderRunQueue,
  svc_queue_objective: queueObjective,
  svc_manage_run_queue: manageRunQueue,
  svc_reorder_future_objectives: reorderFutureObjectives,
  svc_delete_missions: deleteMissions,
  svc_delete_objectives: deleteObjectives,
  svc_attach_session: attachSession,
  svc_update_session: updateSession,
  svc_deliver_session: deliverSession,
  svc_add_artifact: addArtifact,
  svc_update_artifact: updateArtifact,
  svc_record_work: recordWork,
} as const satisfies Record<string, AnyToolContract>

export type ToolName = keyof typeof toolContracts
export type ToolInput<N extends ToolName> = z.infer<(typeof toolContracts)[N]['input']>
/** What a client sends: defaults may be left out. */
export type ToolRequest<N extends ToolName> = z.input<(typeof toolContracts)[N]['input']>
export type ToolOutput<N extends ToolName> = z.infer<(typeof toolContracts)[N]['output']>

// The keys of an object literal are its key type; Object.keys only says string.
export const toolNames = Object.keys(toolContracts) as ToolName[]

export function toolContract(name: ToolName): AnyToolContract {
  return toolContracts[name]
}

/** `POST /api/tools/<name>` */
export function toolEndpoint(name: ToolName): EndpointContract {
  const contract = toolContract(name)
  return endpointOf(`/api/tools/${name}`, contract, contract.hints.readOnly ? 'natural' : 'keyed')
}

/** The version of this surface. spec: Versioning, item 1 */
export const toolContractVersion = 0

/** The instructions that a new client gets, at initialize and discovery. */
export const toolInstructions = `svc plans missions and has coding agents work on them. A mission is made of ordered objectives; an objective is one pass of one agent. Ids: a mission reads slug:12, an objective slug:12.k7qd; a display id alone is enough, the UUID of an objective wants missionId beside it.

To have work done: svc_resolve_project, then svc_search_missions or svc_create_mission, svc_add_objectives, and svc_launch_objective, which queues a run on somebody's machine and returns at once. See what became of it with svc_load_mission_context and svc_list_deliveries.

To do the work yourself: svc_attach_session once, svc_update_session after each notable step, svc_add_artifact for what a person should keep, svc_deliver_session last; use the sessionKey that attach gave. When an answer says directive "stop", stop without delivering.

Errors read "<code>: <what> <what to do next>". Repeat a call safely with the same key in _meta["svc/idempotency-key"].`
