import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'

/** An account at an OpenID provider that is linked to a person. */
export const LinkedIdentity = z.strictObject({
  id: Uuid,
  issuer: z.string(),
  /** Who the person is there. */
  subject: z.string(),
  linkedAt: Timestamp,
})
export type LinkedIdentity = z.infer<typeof LinkedIdentity>
