import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { Title } from './objective.ts'
import { Permission, TokenPreset } from './permissions.ts'
import { TokenDays } from './workspace.ts'

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

/** A token of anybody in the workspace, as the list for its admins shows it. */
export const WorkspaceToken = z.strictObject({
  ...UserToken.shape,
  /** Minted by a person or a token of theirs, or given to an application that a person let in. */
  kind: z.enum(['minted', 'oauth']),
  person: z.strictObject({ id: Uuid, name: z.string(), email: z.string() }),
})
export type WorkspaceToken = z.infer<typeof WorkspaceToken>

/** What a person let in, which calls with a token of its own. */
export const ConnectedApplication = UserToken.pick({
  id: true,
  label: true,
  preset: true,
  permissions: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
})
export type ConnectedApplication = z.infer<typeof ConnectedApplication>

/** Exactly one of `preset` and `permissions`; a token never exceeds the credential that makes it. */
export const UserTokenInput = z
  .strictObject({
    label: Title,
    preset: TokenPreset.optional(),
    permissions: z.array(Permission).max(Permission.options.length).optional(),
    projectIds: z.array(Uuid).min(1).max(100).optional(),
    audiences: z.array(TokenAudience).min(1).max(2).optional(),
    expiresInDays: TokenDays.default(90),
  })
  .refine((input) => (input.preset === undefined) !== (input.permissions === undefined), {
    message: 'give either preset or permissions',
  })
