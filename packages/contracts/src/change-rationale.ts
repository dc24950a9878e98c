import { z } from 'zod'
import { advice } from './advice.ts'
import { agentExamples } from './agent-examples.ts'
import { freeText } from './free-text.ts'
import { limits } from './limits.ts'
import { VcsStatus } from './states.ts'
import { isStorable } from './storable-text.ts'

/**
 * POSIX, relative to the checkout, without `.` or `..` parts. A file of another resource than the run's own
 * is written `<resourceKey>:<path>`.
 */
export const CanonicalPath = z
  .string()
  .min(1)
  .max(1024)
  .refine(isCanonicalPath, 'use a relative path with forward slashes and without . or .. parts')

function isCanonicalPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\\\u0000-\u001f\u007f]/.test(path)) return false
  if (!path.isWellFormed()) return false
  const parts = path.replace(/^[a-z0-9][a-z0-9._-]{0,62}:/, '').split('/')
  return parts.every((part) => part !== '' && part !== '.' && part !== '..')
}

const Text = (most: number) =>
  freeText()
    .max(most)
    .refine(isStorable, 'use text without NUL and without halves of surrogate pairs')
/** How long each text of one may be; longer ones are cut. */
export const rationaleBounds = {
  label: limits.titleCharacters,
  summary: 2000,
  why: 2000,
  impact: 2000,
  header: 200,
} as const

// spec: Resources and their fields > Change rationale
export const ChangeRationale = z.strictObject({
  filePath: CanonicalPath,
  label: Text(rationaleBounds.label),
  summary: Text(rationaleBounds.summary),
  why: Text(rationaleBounds.why),
  impact: Text(rationaleBounds.impact),
  hunks: z
    .array(z.strictObject({ header: Text(rationaleBounds.header) }))
    .max(limits.hunksPerRationale)
    .optional(),
})
export type ChangeRationale = z.infer<typeof ChangeRationale>

/** The list, its items, their hunks, and each of those. */
const rationaleLevels = 4

/**
 * What a call accepts in `changeRationales`: anything. Each item is judged on its own by `ChangeRationale`, so that a
 * bad one is dropped with a warning and never refuses the call.
 */
export const ChangeRationales = advice(rationaleLevels).meta({
  maxItems: limits.rationalesPerDelivery,
  type: 'array',
  items: {},
  description: 'items {filePath, label, summary, why, impact}',
  examples: [agentExamples.changeRationales],
})

export const ChangedFile = z.strictObject({
  filePath: CanonicalPath,
  vcsStatus: VcsStatus,
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** A changed file of a mission with what is known of it: observation, rationale, size of the change. */
export const FileChange = z.strictObject({
  objectiveId: z.string(),
  filePath: z.string(),
  vcsStatus: VcsStatus.nullable(),
  rationale: ChangeRationale.omit({ filePath: true }).nullable(),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
})
export type FileChange = z.infer<typeof FileChange>
