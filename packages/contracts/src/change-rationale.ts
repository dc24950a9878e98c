import { z } from 'zod'
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
const RationaleText = Text(2000)

// spec: Resources and their fields > Change rationale
export const ChangeRationale = z.strictObject({
  filePath: CanonicalPath,
  label: Text(limits.titleCharacters),
  summary: RationaleText,
  why: RationaleText,
  impact: RationaleText,
  hunks: z
    .array(z.strictObject({ header: Text(200) }))
    .max(20)
    .optional(),
})
export type ChangeRationale = z.infer<typeof ChangeRationale>

/**
 * What a call accepts in `changeRationales`: anything. Each item is judged on its own by `ChangeRationale`, so that a
 * bad one is dropped with a warning and never refuses the call.
 */
export const ChangeRationales = z
  .unknown()
  .overwrite((given) => cutBelow(rationaleLevels, given))
  .meta({
    maxItems: limits.rationalesPerDelivery,
    type: 'array',
    items: {},
    description: 'items {filePath, label, summary, why, impact}',
    examples: [agentExamples.changeRationales],
  })

/** The list, its items, their hunks, and each of those. */
const rationaleLevels = 4

/** What lies deeper is no rationale anyway, and a walk through it could overflow the stack. */
function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((inner) => cutBelow(levels - 1, inner))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cutBelow(levels - 1, inner)]),
  )
}

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
