import { z } from 'zod'
import { type ErrorCode as Code, errorRows } from './error-rows.ts'
import { NextStep } from './next-step.ts'

export { errorRows, errorStatus, isPassingCode } from './error-rows.ts'
export { ServiceError, isServiceError } from './service-error.ts'

export type ErrorCode = Code
// The keys of an object literal are its key type; Object.keys only says string.
export const ErrorCode = z.enum(Object.keys(errorRows) as [Code, ...Code[]])

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: ErrorCode,
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    next: NextStep.optional(),
    requestId: z.string(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** The details of `revision_mismatch`. */
export interface RevisionMismatch extends Record<string, unknown> {
  currentRevision: number
  /** What stands now, under the names that the answer of the call has for it; null where it is too large to be shown. */
  current: Record<string, unknown> | null
  /** Texts of it that are cut, as in `objective.instruction`. */
  cut?: string[]
}
