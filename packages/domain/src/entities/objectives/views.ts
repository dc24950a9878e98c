import type { Objective } from '@svc/contracts/objective'
import type { ObjectiveRow } from '@svc/db/tables'
import type { MissionRecord } from '../missions/queries.ts'
import { usedColumns, viewUsage } from '../missions/usage.ts'
import { displayIdOfMission } from '../missions/views.ts'

export function displayIdOf(mission: MissionRecord, objective: Pick<ObjectiveRow, 'key'>): string {
  return `${displayIdOfMission(mission)}.${objective.key}`
}

/** What is shown of an objective in addition to its instruction, which can be long. */
export const shortColumns = [
  'id',
  'mission_id',
  'key',
  'position',
  'title',
  'state',
  'last_outcome',
  'assigned_agent',
  'model',
  'reasoning_effort',
  'resource_key',
  'chosen_check',
  'branch',
  'approval_refusal',
  ...usedColumns,
  'revision',
  'created_at',
  'completed_at',
] as const satisfies readonly (keyof ObjectiveRow)[]

export type ShownObjective = Pick<ObjectiveRow, (typeof shortColumns)[number] | 'instruction'>

export function viewObjective(mission: MissionRecord, objective: ShownObjective): Objective {
  return {
    id: objective.id,
    displayId: displayIdOf(mission, objective),
    missionId: objective.mission_id,
    position: objective.position,
    title: objective.title,
    instruction: objective.instruction,
    state: objective.state,
    lastOutcome: objective.last_outcome,
    assigned_agent: objective.assigned_agent,
    model: objective.model,
    reasoning_effort: objective.reasoning_effort,
    resource_key: objective.resource_key,
    check: objective.chosen_check,
    branch: objective.branch,
    approvalRefusal: objective.approval_refusal,
    usage: viewUsage(objective),
    revision: objective.revision,
    createdAt: objective.created_at.toISOString(),
    completedAt: objective.completed_at?.toISOString() ?? null,
  }
}
