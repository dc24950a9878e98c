import { z } from 'zod'
import { freeText } from './free-text.ts'
import { Timestamp, Uuid } from './ids.ts'
import { UserToken } from './user-token.ts'

/** 32 bytes as base64url. */
const Key = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'give 32 bytes as base64url')

/** What only the command line that asks keeps; `challenge` is its SHA-256. */
export const LoginVerifier = Key
export const LoginChallenge = Key

/** How a person tells the machine that asks from others: one line of what can be seen. */
export const DeviceLabel = freeText()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'use letters that can be seen')

/** A command line that asks somebody to sign it in. */
export const LoginRequest = z.strictObject({
  id: Uuid,
  /** Whoever approves sees the same. */
  code: z.string(),
  /** Where a person who is signed in approves or denies it. */
  address: z.string(),
  /** Between two polls. */
  pollSeconds: z.int(),
  expiresAt: Timestamp,
})
export type LoginRequest = z.infer<typeof LoginRequest>

export const LoginState = z.enum(['pending', 'approved', 'denied', 'expired'])
export type LoginState = z.infer<typeof LoginState>

/** `granted` comes with `approved`, and for a minute again, for whom the first answer did not reach. */
export const LoginAnswer = z.strictObject({
  state: LoginState,
  granted: z.strictObject({ token: z.string(), userToken: UserToken }).nullable(),
})
export type LoginAnswer = z.infer<typeof LoginAnswer>

/** What such a token is: as much as the person may, for so long. */
export const loginToken = { preset: 'full', days: 90 } as const
