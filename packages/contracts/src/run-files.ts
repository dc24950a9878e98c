import { z } from 'zod'
import { ChangeRationale } from './change-rationale.ts'
import { DiffStat } from './run-changes.ts'
import { VcsStatus } from './states.ts'

/** What a run changed, as it was last reported. */
export const RunChanges = z.strictObject({
  /** Another one, once the run has reported anew: positions are of this one. */
  report: z.string(),
  baseSha: z.string(),
  headSha: z.string(),
  files: z.int(),
  /** Sums over its files, binary ones left out. */
  additions: z.int(),
  deletions: z.int(),
  /** Files, or patches of some, are not kept: there are too many, or they are too large. */
  truncated: z.boolean(),
  /** Some of it was not committed. */
  dirty: z.boolean(),
})
export type RunChanges = z.infer<typeof RunChanges>

export const RunFile = DiffStat.extend({
  /** Its place in the report. */
  position: z.int(),
  /** How long its patch is; null: that is not kept. */
  patchBytes: z.int().nullable(),
  /** What was observed of it; null where nothing was. */
  vcsStatus: VcsStatus.nullable(),
  /** By which its agent grouped it with others; null where it gave no reason for it. */
  label: z.string().nullable(),
  /** Where it was asked for. */
  patch: z.string().optional(),
})
export type RunFile = z.infer<typeof RunFile>

/** Files that were changed for the same reason, by its label, or for none. */
export const RunFileGroup = z.strictObject({
  label: z.string().nullable(),
  files: z.int(),
  /** Sums over its files, binary ones left out. */
  additions: z.int(),
  deletions: z.int(),
})
export type RunFileGroup = z.infer<typeof RunFileGroup>

/** What the agent said of one. */
export const FileRationale = ChangeRationale.omit({ filePath: true })
