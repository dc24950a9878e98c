import type { Project, ProjectStatus } from '@svc/contracts/project'
import type { ProjectRow, ProjectStatusRow } from '@svc/db/tables'

export function viewProject(project: ProjectRow): Project {
  return {
    id: project.id,
    slug: project.slug,
    name: project.name,
    defaultBranch: project.default_branch,
    useWorktrees: project.use_worktrees,
    maxRuntimeMinutes: project.max_runtime_minutes,
    revision: project.revision,
    createdAt: project.created_at.toISOString(),
  }
}

export function viewStatus(status: ProjectStatusRow): ProjectStatus {
  return { id: status.id, type: status.type, label: status.label, position: status.position }
}
