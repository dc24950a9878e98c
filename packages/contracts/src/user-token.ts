import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { Title } from './objective.ts'
import { Permission, TokenPreset } from './permissions.ts'

export const TokenAudience = z.enum(['api', 'mcp'])
export type TokenAudience = z.infer<typeof TokenAudience>

export const UserToken = z.strictObject({
  id: Uuid,
  label: z.string(),
  prefix: z.string(),
  preset: TokenPreset.nullable(),
  scope: z.enum(['full', 'scoped']),
  permissions: z.array(Permission),
  audiences: z.array(TokenAudience),
  projectIds: z.array(Uuid).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
})
export type UserToken = z.infer<typeof UserToken>

/** Exactly one of `preset` and `permissions`; a token never exceeds the credential that makes it. */
export const UserTokenInput = z
  .strictObject({
    label: Title,
    preset: TokenPreset.optional(),
    permissions: z.array(Permission).max(Permission.options.length).optional(),
    projectIds: z.array(Uuid).min(1).max(100).optional(),
    audiences: z.array(TokenAudience).min(1).max(2).optional(),
    expiresInDays: z.int().min(1).max(366).default(90),
  })
  .refine((input) => (input.preset === undefined) !== (input.permissions === undefined), {
    message: 'give either preset or permissions',
  })
