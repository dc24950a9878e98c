import { z } from 'zod'
import { Slug } from './ids.ts'

const domain = z
  .string()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
    'give domains in lower case, such as example.com',
  )

/** Whom people sign in by, as the operator configures it. */
export const OpenIdProvider = z.strictObject({
  /** What its button says, and a part of its addresses. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'give a name of a-z, 0-9 and -'),
  issuer: z
    .url({ protocol: /^https?$/, error: 'give the address of the issuer' })
    .refine((given) => !/[?#]/.test(given), 'give the address of the issuer without a query'),
  client: z.string().min(1, 'give the id of the client'),
  secret: z.string().min(1, 'give the secret of the client'),
  /** Whoever has a verified address of one of these and is nobody here yet becomes a member of `workspace`. */
  domains: z.array(domain).default([]),
  workspace: Slug,
  role: z.enum(['member', 'viewer'], 'give member or viewer'),
})
export type OpenIdProvider = z.infer<typeof OpenIdProvider>

export const OpenIdProviders = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('give a JSON array of providers')
      return z.NEVER
    }
  })
  .pipe(
    z
      .array(OpenIdProvider, 'give a JSON array of providers')
      .refine(
        (given) => new Set(given.map(({ name }) => name)).size === given.length,
        'give each provider a name of its own',
      ),
  )
