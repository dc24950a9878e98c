import { z } from 'zod'
import { BranchName, ResourceKey, Timestamp, Uuid } from './ids.ts'

export const CommitSha = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A branch in the run's resource, as runs left it. */
export const RecordedBranch = z.strictObject({
  branch: BranchName,
  /** The commit at which it was cut. */
  startSha: CommitSha,
  lastSha: CommitSha,
  runnerId: Uuid,
  runnerLabel: z.string(),
  /** It was there for one run alone, which is over: what it has not pushed is nowhere. Decision 150. */
  runnerGone: z.boolean().optional(),
})
export type RecordedBranch = z.infer<typeof RecordedBranch>

/** What is recorded for the resource of an assignment. Decision 42a. */
export const AssignedBranches = z.strictObject({
  mission: RecordedBranch.nullable(),
  /** The objective's own. */
  objective: RecordedBranch.nullable(),
  /** Own branches of siblings that were delivered. */
  delivered: z.array(
    z.strictObject({ displayId: z.string(), branch: BranchName, lastSha: CommitSha }),
  ),
  /** A person's word to begin anew in this resource. */
  fromBase: z.boolean(),
})
export type AssignedBranches = z.infer<typeof AssignedBranches>

/** The name that is kept for the mission's next branch in a resource, and whose machine is to cut it. */
export const ReservedBranch = z.strictObject({ branch: BranchName, runnerId: Uuid })
export type ReservedBranch = z.infer<typeof ReservedBranch>

/** The branch that a mission, or one of its objectives, has in one resource. */
export const MissionBranch = RecordedBranch.omit({ runnerGone: true }).extend({
  missionId: Uuid,
  /** Display id of the mission. */
  mission: z.string(),
  /** Null where the branch is the mission's. */
  objectiveId: Uuid.nullable(),
  /** Display id of the objective; null for one that was deleted, too. */
  objective: z.string().nullable(),
  projectId: Uuid,
  resourceKey: ResourceKey,
  /** What branches of the resource are cut from and merged into. */
  baseBranch: BranchName,
  updatedAt: Timestamp,
})
export type MissionBranch = z.infer<typeof MissionBranch>
