import { z } from 'zod'
import { Revision, Uuid } from './ids.ts'
import { Role } from './permissions.ts'

/** The longest that a token lives in any workspace. */
export const mostTokenDays = 366

export const TokenDays = z.int().min(1).max(mostTokenDays)

export const Workspace = z.strictObject({
  id: Uuid,
  slug: z.string(),
  name: z.string(),
  /** What is minted from now on lives no longer. */
  maxTokenDays: TokenDays,
  revision: Revision,
})
export type Workspace = z.infer<typeof Workspace>

/** One that somebody is a member of. */
export const OwnWorkspace = z.strictObject({
  id: Uuid,
  slug: z.string(),
  name: z.string(),
  role: Role,
})
export type OwnWorkspace = z.infer<typeof OwnWorkspace>
