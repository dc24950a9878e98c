import { z } from 'zod'

/** As an expression, for documents. */
export const idempotencyKeyPattern = '^[!-~]{1,255}$'

/** What stands in the header `Idempotency-Key`. */
export const IdempotencyKeyText = z
  .string()
  .regex(new RegExp(idempotencyKeyPattern), 'use 1 to 255 visible ASCII characters')
