import { z } from 'zod'
import { AssignedBranches, CommitSha } from './assigned-branches.ts'
import { ExecutionRequest } from './execution-request.ts'
import { freeText } from './free-text.ts'
import {
  AgentKey,
  BranchName,
  MissionDisplayId,
  ObjectiveDisplayId,
  ResourceKey,
  Uuid,
} from './ids.ts'
import { LaunchSettings } from './launch-settings.ts'
import { limits } from './limits.ts'
import { Mission } from './mission.ts'
import { Objective } from './objective.ts'
import { Project, ProjectResource } from './project.ts'

/** The mission's other live requests, for the branch plan. */
export const Sibling = z.strictObject({
  requestId: Uuid,
  objectiveId: Uuid,
  resourceKey: z.string().nullable(),
  branch: BranchName.nullable(),
  /** Other resources in which it has a branch. */
  alsoIn: z.array(ResourceKey).max(limits.otherResources).default([]),
  createdAt: z.string(),
})
export type Sibling = z.infer<typeof Sibling>

export function isOncePerResource(all: readonly { resourceKey: string }[]): boolean {
  return new Set(all.map(({ resourceKey }) => resourceKey)).size === all.length
}

/** What a run was prepared on in a resource other than its own. Decision 42b. */
export const PreparedOther = z.strictObject({
  resourceKey: ResourceKey,
  workingDirectory: z.string().max(4096),
  branch: BranchName,
  /** The mission's in this resource; another one than `branch` where the objective has its own. */
  missionBranch: BranchName,
  /** The commit at which `branch` was cut. */
  startSha: CommitSha,
  /** The commit at which the run begins. */
  baseSha: CommitSha,
  checkout: z.enum(['own', 'worktree']),
})
export type PreparedOther = z.infer<typeof PreparedOther>

export const Prepared = z.strictObject({
  workingDirectory: z.string().max(4096),
  branch: BranchName.nullable(),
  /** The commit at which the run begins. */
  baseSha: CommitSha.nullable(),
  checkout: z.enum(['own', 'worktree', 'scratch']),
  /** The mission's in this resource; another one than `branch` where the objective has its own. */
  missionBranch: BranchName.nullable().default(null),
  /** The commit at which `branch` was cut. */
  startSha: CommitSha.nullable().default(null),
  /** What a person should know of the branch, a sentence each. */
  warnings: z.array(freeText().max(500)).max(20).default([]),
  /** Other resources that it may write to, and that are checked out there. */
  others: z
    .array(PreparedOther)
    .max(limits.otherResources)
    .refine(isOncePerResource, 'name each resource once')
    .default([]),
  /** Its machine is gone after it: a delivery waits until its branches are at their origin. Decision 150. */
  pushes: z.boolean().optional(),
})
export type Prepared = z.infer<typeof Prepared>

/** The run that this one goes on with; on the same machine, unless that was gone after it. */
export const Resume = z.strictObject({
  /** The agent's own id of its conversation; null: it begins a new one, and its attach returns what was asked. */
  externalSessionId: z.string().nullable(),
  /** Where and on which branch it was; null where it had no checkout, and where that may have been on another machine. */
  prepared: Prepared.nullable(),
})
export type Resume = z.infer<typeof Resume>

/** What a claim answers with. A runner makes folders, branches and arguments of these fields: each has its own form. */
export const Assignment = z.strictObject({
  executionRequest: ExecutionRequest.extend({
    agent: AgentKey,
    resourceKey: ResourceKey.nullable(),
    generation: z.int().min(1),
    branch: BranchName.nullable(),
  }),
  mission: Mission.extend({
    displayId: MissionDisplayId,
    active_branch: BranchName.nullable(),
  }),
  objective: Objective.extend({
    displayId: ObjectiveDisplayId,
    branch: BranchName.nullable(),
  }),
  project: Project.extend({ defaultBranch: BranchName }),
  /** The project's of now; what this launch took of them stands in its request. */
  launchSettings: LaunchSettings,
  resources: z.array(ProjectResource),
  siblings: z.array(Sibling),
  resume: Resume.nullable().default(null),
  branches: AssignedBranches.default({
    mission: null,
    objective: null,
    delivered: [],
    fromBase: false,
  }),
})
export type Assignment = z.infer<typeof Assignment>

/** What the mission says, else its project. */
export function usesWorktrees({
  mission,
  project,
}: Pick<Assignment, 'mission' | 'project'>): boolean {
  return mission.useWorktrees ?? project.useWorktrees
}
