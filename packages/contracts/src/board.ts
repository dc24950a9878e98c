import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { Mission, MissionStatus } from './mission.ts'
import { NextCursor } from './page.ts'

/** What a card says of its mission; where several hold, the first one. Decision 93. */
export const CardBadge = z.enum(['waits', 'awaits_approval', 'failed', 'running', 'queued'])
export type CardBadge = z.infer<typeof CardBadge>

export const BoardCard = Mission.pick({
  id: true,
  displayId: true,
  title: true,
  priority: true,
  revision: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  /** Of its objectives, without those that say nothing yet. */
  progress: z.strictObject({ complete: z.int(), total: z.int() }),
  badge: z
    .strictObject({
      kind: CardBadge,
      since: Timestamp,
      /** The objective that it is about. */
      objective: z.strictObject({ id: Uuid, displayId: z.string() }),
      agent: z.string().nullable(),
      /** How far its agent said that it has come. */
      percent: z.number().nullable(),
      /** What it waits on, in a sentence: the question, why approval is asked for, why it stopped or is not taken. */
      waitsOn: z.string().nullable(),
    })
    .nullable(),
})
export type BoardCard = z.infer<typeof BoardCard>

/** One status of the project. */
export const BoardColumn = z.strictObject({
  status: MissionStatus,
  /** Of its missions that pass the filters, as far as they were counted. */
  count: z.int().min(0).max(limits.countedMissions),
  /** There are more than were counted. */
  countsMore: z.boolean(),
  /** Newest first. */
  cards: z.array(BoardCard),
  nextCursor: NextCursor,
})
export type BoardColumn = z.infer<typeof BoardColumn>
