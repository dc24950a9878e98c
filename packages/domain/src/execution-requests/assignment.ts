import type { Assignment } from '@svc/contracts/runner'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import type { Actor } from '../actor.ts'
import { readAssignedBranches } from '../branches/assigned.ts'
import { requireMission } from '../missions/queries.ts'
import { viewMission } from '../missions/views.ts'
import { requireObjective } from '../objectives/queries.ts'
import { viewObjective } from '../objectives/views.ts'
import { requireProject } from '../projects/queries.ts'
import { listResources } from '../projects/resources.ts'
import { viewProject } from '../projects/views.ts'
import { where } from '../lifecycle/states.ts'
import { viewRequest } from './views.ts'

/** Everything that a runner needs for this one request; placeholders stay as they were written. */
export async function buildAssignment(
  tx: Tx,
  actor: Actor,
  request: ExecutionRequestRow,
  device: string,
): Promise<Assignment> {
  const { workspace_id: workspaceId } = request
  const mission = await requireMission(tx, workspaceId, request.mission_id)
  const { objective } = await requireObjective(tx, workspaceId, request.objective_id)
  const project = await requireProject(tx, workspaceId, request.project_id)
  return {
    executionRequest: await viewRequest(tx, actor, request),
    mission: viewMission(mission),
    objective: viewObjective(mission, objective),
    project: viewProject(project),
    launchSettings: {
      preCommand: request.config.preCommand.value,
      flags: request.config.flags.value,
      preLaunchCommands: project.pre_launch_commands,
      launchEnvVars: project.launch_env_vars,
    },
    resources: await listResources(tx, {
      workspaceId,
      projectId: project.id,
      userId: actor.userId,
      device,
    }),
    siblings: await listSiblings(tx, request),
    branches: await readAssignedBranches(tx, mission, request),
  }
}

async function listSiblings(tx: Tx, request: ExecutionRequestRow): Promise<Assignment['siblings']> {
  const rows = await tx
    .selectFrom('execution_requests')
    .select(['id', 'objective_id', 'resource_key', 'prepared', 'created_at'])
    .where('workspace_id', '=', request.workspace_id)
    .where('mission_id', '=', request.mission_id)
    .where('id', '!=', request.id)
    .where(where.live())
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    requestId: row.id,
    objectiveId: row.objective_id,
    resourceKey: row.resource_key,
    branch: row.prepared?.branch ?? null,
    createdAt: row.created_at.toISOString(),
  }))
}
