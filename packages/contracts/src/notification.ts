import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'

/** Addressed to one person. Decision 53. */
export const Notification = z.strictObject({
  id: Uuid,
  /** As in `webhook.disabled`. */
  kind: z.string(),
  title: z.string(),
  /** Where to look, from the service's own address. */
  link: z.string(),
  createdAt: Timestamp,
  readAt: Timestamp.nullable(),
})
export type Notification = z.infer<typeof Notification>
