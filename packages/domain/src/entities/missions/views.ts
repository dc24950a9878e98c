import type { Mission, MissionEvent } from '@svc/contracts/mission'
import type { MissionEventRow } from '@svc/db/tables'
import type { MissionRecord } from './queries.ts'
import { viewBudget, viewUsage } from './usage.ts'

export function displayIdOfMission(
  mission: Pick<MissionRecord, 'project_slug' | 'sequence'>,
): string {
  return `${mission.project_slug}:${mission.sequence}`
}

export function viewMission(mission: MissionRecord): Mission {
  return {
    id: mission.id,
    displayId: displayIdOfMission(mission),
    projectId: mission.project_id,
    title: mission.title,
    status: { id: mission.status_id, type: mission.status_type, label: mission.status_label },
    phase: mission.status_type,
    priority: mission.priority,
    active_branch: mission.active_branch,
    allowParallelObjectives: mission.allow_parallel_objectives,
    auto_advance: mission.auto_advance,
    useWorktrees: mission.use_worktrees,
    hasOpenQuestion: mission.open_questions > 0,
    budget: viewBudget(mission),
    launches: mission.launches,
    usage: viewUsage(mission),
    revision: mission.revision,
    createdAt: mission.created_at.toISOString(),
    updatedAt: mission.updated_at.toISOString(),
  }
}

export function viewMissionEvent(
  event: MissionEventRow & { actor_name: string | null },
): MissionEvent {
  return {
    id: event.id,
    missionId: event.mission_id,
    objectiveId: event.objective_id,
    type: event.type,
    summary: event.summary,
    actor: { name: event.actor_name ?? 'svc', role: event.actor_role },
    data: event.data,
    createdAt: event.created_at.toISOString(),
    sequence: event.sequence,
  }
}
