import { z } from 'zod'

// spec: Events
export const builtInEventTypes = [
  'mission.delivered',
  'mission.status_changed',
  'objective.completed',
  'mission.blocked',
] as const
export type BuiltInEventType = (typeof builtInEventTypes)[number]

/** Open vocabulary: a built-in type, or `<namespace>:<name>` of an extension. It travels in a header. */
export const EventType = z.union([
  z.enum(builtInEventTypes),
  z
    .string()
    .max(100)
    .regex(/^[a-z0-9][a-z0-9_.-]*:[a-z0-9][a-z0-9_.-]*$/, 'use <namespace>:<name>'),
])
export type EventType = z.infer<typeof EventType>

/** The test delivery. No subscription names it: it is sent when an admin asks for one. */
export const pingEventType = 'webhook.ping'
