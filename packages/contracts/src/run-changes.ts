import { z } from 'zod'
import { freeText } from './free-text.ts'
import { limits } from './limits.ts'
import { LeaseToken, OtherHeads } from './runner.ts'

// What a runner reports of the files that a run has changed.

export const DiffStat = z.strictObject({
  filePath: z.string().max(1024),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
})
export const RunDiff = z.strictObject({
  baseSha: z.string().max(64),
  headSha: z.string().max(64),
  stat: z.array(DiffStat).max(limits.diffFiles),
  patch: freeText().max(limits.diffPatchBytes).optional(),
  truncated: z.boolean(),
  dirty: z.boolean(),
})
export type RunDiff = z.infer<typeof RunDiff>
/** What is stored next to the files of a run; the patch in one is of an earlier runner. */
export const StoredDiff = RunDiff.omit({ stat: true })
export type StoredDiff = z.infer<typeof StoredDiff>

/** What names a report of what a run changed: a digest over all of it, so that the same again is the same report. */
const ReportId = z.string().regex(/^[0-9a-f]{64}$/, 'give a SHA-256 digest in hex')
const ofReport = { leaseToken: LeaseToken, report: ReportId }

/** Files in the order of the report, from position `from` on. */
export const RunFilesBody = z
  .strictObject({
    ...ofReport,
    from: z.int().nonnegative(),
    files: z.array(DiffStat).min(1).max(limits.runFilesAtOnce),
  })
  .refine(({ from, files }) => from + files.length <= limits.runFiles, {
    message: `a run has ${limits.runFiles} files at most; say in \`truncated\` that there are more`,
    path: ['files'],
  })
export const RunPatchesBody = z.strictObject({
  ...ofReport,
  patches: z
    .array(
      z.strictObject({
        position: z.int().nonnegative().max(limits.runFiles),
        patch: freeText().min(1).max(limits.runFilePatchBytes),
      }),
    )
    .min(1)
    .max(limits.runFilesAtOnce),
})
/** The report is whole, with so many files and patches, and takes the place of the one before. */
export const RunFilesCompleteBody = StoredDiff.omit({ patch: true }).extend({
  ...ofReport,
  files: z.int().nonnegative().max(limits.runFiles),
  patches: z.int().nonnegative().max(limits.runFiles),
  others: OtherHeads.optional(),
  /** As in the report in one call. */
  complete: z.boolean().default(false),
})

export const DiffBody = RunDiff.extend({
  leaseToken: LeaseToken,
  others: OtherHeads.optional(),
  /** Every file that the run has changed on its branch is in `stat`: one that is not is changed no more. */
  complete: z.boolean().default(false),
})
