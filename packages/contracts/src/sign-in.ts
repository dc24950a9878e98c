import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'

/** A browser that is signed in. */
export const SignIn = z.strictObject({
  id: Uuid,
  /** What the browser calls itself. */
  browser: z.string(),
  /** The network that it signed in from. */
  from: z.string().nullable(),
  createdAt: Timestamp,
  /** To the minute. */
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  /** It is the one that asks. */
  isCurrent: z.boolean(),
})
export type SignIn = z.infer<typeof SignIn>

export const passwordLength = { min: 15, max: 1024 } as const

/** A phrase of several words is long enough and can be kept in mind. */
export const NewPassword = z
  .string()
  .min(
    passwordLength.min,
    `use at least ${passwordLength.min} characters; a phrase of words is fine`,
  )
  .max(passwordLength.max, `use at most ${passwordLength.max} characters`)
