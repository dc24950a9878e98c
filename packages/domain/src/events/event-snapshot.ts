import type { BuiltInEventType, builtInEvents } from '@svc/contracts/events'
import { MissionStatus } from '@svc/contracts/mission'
import { FullEnvelope, ThinEnvelope } from '@svc/contracts/webhook-envelope'
import { z } from 'zod'

const { objective, session, delivery } = ThinEnvelope.shape
const { queue, run } = FullEnvelope.shape

/** What `publish` was given: the rows as they were when the event happened. */
export const EventSnapshot = z.object({
  mission: ThinEnvelope.shape.mission.extend({
    title: z.string(),
    status: MissionStatus,
    createdAt: z.string(),
  }),
  objective,
  session,
  delivery,
  queue,
  run,
})
export type EventSnapshot = z.infer<typeof EventSnapshot>

/** What an event of this type carries in addition to its mission. */
export type CarriedBy<T extends BuiltInEventType> = (typeof builtInEvents)[T]['carries'][number]

export type SnapshotOf<T extends BuiltInEventType> = Pick<EventSnapshot, 'mission'> & {
  [Part in CarriedBy<T>]: NonNullable<EventSnapshot[Part]>
}
