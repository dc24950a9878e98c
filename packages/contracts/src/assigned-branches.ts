import { z } from 'zod'
import { BranchName, Uuid } from './ids.ts'

export const CommitSha = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A branch in the run's resource, as runs left it. */
export const RecordedBranch = z.strictObject({
  branch: BranchName,
  /** The commit at which it was cut. */
  startSha: CommitSha,
  lastSha: CommitSha,
  runnerId: Uuid,
  runnerLabel: z.string(),
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
