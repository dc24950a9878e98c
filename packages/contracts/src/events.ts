import { z } from 'zod'

/** What an event is about, in addition to the mission. */
export type CarriedPart = 'objective' | 'session' | 'delivery' | 'queue' | 'run'

export interface EventRow {
  readonly carries: readonly CarriedPart[]
  /** What will publish it: nothing does yet, though it may be subscribed to. */
  readonly planned?: string
}

// spec: Events
export const builtInEvents = {
  'mission.delivered': { carries: ['objective', 'session', 'delivery'] },
  'mission.status_changed': { carries: [] },
  'objective.completed': { carries: ['objective', 'session', 'delivery'] },
  'mission.blocked': { carries: ['objective', 'session'] },
  // beyond the specification, in the namespace that is the service's own: what teams want to hear of
  'svc:awaiting_approval': { carries: ['objective'] },
  'svc:run_failed': { carries: ['objective', 'run'] },
  'svc:run_lost': { carries: ['objective', 'run'] },
  'svc:run_cancelled': { carries: ['objective', 'run'] },
  'svc:queue_paused': { carries: ['objective', 'queue'] },
} as const satisfies Record<string, EventRow>

export type BuiltInEventType = keyof typeof builtInEvents

// The keys of an object literal are its key type; Object.keys only says string.
export const builtInEventTypes = Object.keys(builtInEvents) as BuiltInEventType[]

const formOfNames =
  '<namespace>:<name>, each of small letters, digits, _, . and -, as in deploy:finished'

export const namespacedName = /^[a-z0-9][a-z0-9_.-]*:[a-z0-9][a-z0-9_.-]*$/

const namespaced = (message: string) => z.string().max(100).regex(namespacedName, message)

/** Open vocabulary: a built-in type, or `<namespace>:<name>` of an extension. It travels in a header. */
export const EventType = z.union([
  z.enum(builtInEventTypes),
  namespaced('use a built-in type, or <namespace>:<name> of an extension'),
])
export type EventType = z.infer<typeof EventType>

/** What others may write on a mission. Decision 37. */
export const ExtensionEventType = namespaced(`use ${formOfNames}`)
  .refine((type) => !type.startsWith('svc:'), "the namespace svc is the service's own")
  .transform((type) => type as `${string}:${string}`) // by the pattern above
  .brand<'ExtensionEventType'>()
export type ExtensionEventType = z.infer<typeof ExtensionEventType>

/** The test delivery: it is sent when an admin asks for one, whether the subscription names it or not. */
export const pingEventType = 'webhook.ping'

const listedEventTypes = [...builtInEventTypes, pingEventType] as const

/** What `GET /api/event-types` lists, or an extension's own. */
export const SubscribedEventType = z.union([
  z.enum(listedEventTypes),
  namespaced(`use ${listedEventTypes.join(', ')}, or ${formOfNames}, of an extension`),
])
