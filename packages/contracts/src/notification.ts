import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { NextStep } from './next-step.ts'

/** Addressed to one person. Decision 53. */
export const Notification = z.strictObject({
  id: Uuid,
  /** As in `webhook.disabled`. */
  kind: z.string(),
  title: z.string(),
  /** Where to look, from the service's own address. */
  link: z.string(),
  /** What to do about it; left out for who may not. */
  next: NextStep.optional(),
  createdAt: Timestamp,
  /** Once it was read, or its cause had gone: a question answered, a run launched again, a queue that goes on. */
  readAt: Timestamp.nullable(),
})
export type Notification = z.infer<typeof Notification>
