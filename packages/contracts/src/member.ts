import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { Title } from './objective.ts'
import { Role } from './permissions.ts'

export const Member = z.strictObject({
  /** That of the person. */
  id: Uuid,
  name: z.string(),
  email: z.string(),
  role: Role,
  joinedAt: Timestamp,
})
export type Member = z.infer<typeof Member>

/** No longer than mail takes. */
export const EmailAddress = z.string().trim().max(254).pipe(z.email('give an e-mail address'))
export const PersonName = Title

/** An open invitation. It ends by being accepted, replaced or revoked, or by time. */
export const Invitation = z.strictObject({
  id: Uuid,
  email: z.string(),
  role: Role,
  invitedBy: z.strictObject({ id: Uuid, name: z.string() }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>
