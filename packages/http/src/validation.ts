import { cutText } from '@svc/contracts/cut-text'
import { echoed } from '@svc/contracts/echoed'
import { ServiceError } from '@svc/contracts/errors'
import { sayIssue } from '@svc/contracts/say-issue'
import type { z } from 'zod'

export interface FieldProblem {
  /** Dotted, such as `objectives.0.title`; empty for the whole input. */
  path: string
  message: string
}

const mostListed = 50
const longestMessage = 1_000

/**
 * `validation_failed` with the problems in `details.fields` and the first one in the sentence. What was sent is repeated in
 * part, however much of it is wrong.
 */
export function validationFailed(problems: readonly FieldProblem[]): ServiceError {
  const fields = problems
    .slice(0, mostListed)
    .map(({ path, message }) => ({ path: echoed(path), message: cutText(message, longestMessage) }))
  const [first] = fields
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const where = first?.path ? `${first.path}: ` : ''
  const message = `Correct the request: ${where}${first?.message ?? 'it is not valid'}${more}.`
  return new ServiceError('validation_failed', message, { fields })
}

/** The problems of one part of a request, or its parsed value. */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  problems: FieldProblem[],
): T | undefined {
  const result = schema.safeParse(value, { error: sayIssue })
  if (result.success) return result.data
  problems.push(...result.error.issues.flatMap((issue) => problemsOf(issue)))
  return undefined
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String).join('.')
  // of a record what is wrong with a name is said of that name
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }))
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({
    path: path ? `${path}.${key}` : key,
    message: 'this field is not known here',
  }))
}
