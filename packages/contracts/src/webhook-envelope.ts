import { z } from 'zod'
import { DeliveryChecks } from './check.ts'
import { DeliveryReport } from './delivery.ts'
import { EventType, pingEventType } from './events.ts'
import { Revision, Timestamp, Uuid } from './ids.ts'
import { MissionStatus } from './mission.ts'
import { PauseReason } from './run-queue.ts'
import { ObjectiveState, Priority, VcsStatus } from './states.ts'

/** The one value that the shape below belongs to. */
export const webhookApiVersion = '2026-11-01'

export const envelopeLimits = { arrayEntries: 50, bytes: 256 * 1024 } as const

const restPath = z.string().regex(/^\/api\/missions\/[0-9a-f-]{36}(\/[a-z-]+)?$/)

const identity = {
  id: Uuid,
  apiVersion: z.literal(webhookApiVersion),
  type: z.union([EventType, z.literal(pingEventType)]),
  occurredAt: Timestamp,
  /** Among the events and the history of one mission, what happened later has the higher number. */
  sequence: z.int().nonnegative(),
}
const missionIdentity = {
  id: Uuid,
  displayId: z.string(),
  priority: Priority,
  revision: Revision,
}
/** The parts that events carry, each where the event has one. */
const carried = {
  objective: z
    .strictObject({
      id: Uuid,
      position: z.int().nullable(),
      title: z.string(),
      state: ObjectiveState,
    })
    .optional(),
  session: z
    .strictObject({
      id: Uuid,
      agentIdentifier: z.string(),
      modelIdentifier: z.string().nullable(),
    })
    .optional(),
}
const queueIdentity = z.strictObject({ id: Uuid })
/** A run that ended without a delivery. An agent that attached on its own has no launch, and so no id here. */
const runIdentity = z.strictObject({ id: Uuid.nullable() })
const links = z.strictObject({
  mission: restPath,
  events: restPath,
  fileChanges: restPath,
  artifacts: restPath,
})

// spec: Events > Envelope
export const ThinEnvelope = z.strictObject({
  ...identity,
  workspace: z.strictObject({ id: Uuid }),
  project: z.strictObject({ id: Uuid }),
  mission: z.strictObject(missionIdentity),
  ...carried,
  delivery: z.strictObject({ id: Uuid }).optional(),
  queue: queueIdentity.optional(),
  run: runIdentity.optional(),
  links,
})
export type ThinEnvelope = z.infer<typeof ThinEnvelope>

const capped = <T extends z.ZodType>(item: T) => z.array(item).max(envelopeLimits.arrayEntries)

/** `truncated` says that a list was cut; `truncatedFields` names every list and text that was. */
export const FullEnvelope = z.strictObject({
  ...identity,
  workspace: z.strictObject({ id: Uuid, name: z.string() }),
  project: z.strictObject({ id: Uuid, name: z.string() }),
  mission: z.strictObject({
    ...missionIdentity,
    title: z.string(),
    status: MissionStatus,
    createdAt: Timestamp,
  }),
  ...carried,
  delivery: z
    .strictObject({
      id: Uuid,
      summary: z.string(),
      report: DeliveryReport,
      artifacts: capped(
        z.strictObject({ type: z.string(), label: z.string(), content: z.string() }),
      ),
      /** Null where neither the project nor the objective names any. */
      checks: DeliveryChecks.nullable(),
    })
    .optional(),
  queue: queueIdentity.extend({ name: z.string(), reason: PauseReason }).optional(),
  run: runIdentity.extend({ agent: z.string(), reason: z.string() }).optional(),
  changedFiles: capped(z.strictObject({ filePath: z.string(), vcsStatus: VcsStatus })),
  changeRationales: capped(
    z.strictObject({
      filePath: z.string(),
      label: z.string(),
      summary: z.string(),
      why: z.string(),
      impact: z.string(),
    }),
  ),
  missionEvents: capped(
    z.strictObject({ id: Uuid, type: z.string(), summary: z.string(), createdAt: Timestamp }),
  ),
  links,
  truncated: z.literal(true).optional(),
  truncatedFields: z.array(z.string()).optional(),
})
export type FullEnvelope = z.infer<typeof FullEnvelope>
