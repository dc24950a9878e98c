import { ServiceError } from '@svc/contracts/errors'
import { sayIssue } from '@svc/contracts/say-issue'
import type { z } from 'zod'

export interface FieldProblem {
  /** Dotted, such as `objectives.0.title`; empty for the whole input. */
  path: string
  message: string
}

/** `validation_failed` with every problem in `details.fields` and the first one in the sentence. */
export function validationFailed(fields: readonly FieldProblem[]): ServiceError {
  const [first] = fields
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
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
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({
    path: path ? `${path}.${key}` : key,
    message: 'this field is not known here',
  }))
}
