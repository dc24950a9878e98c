import { z } from 'zod'
import { carriedParts, exampleEnvelopes } from './event-examples.ts'
import {
  type BuiltInEventType,
  type EventRow,
  builtInEventTypes,
  builtInEvents,
  pingEventType,
} from './events.ts'
import { FullEnvelope, ThinEnvelope, webhookApiVersion } from './webhook-envelope.ts'

const byMode = <T extends z.ZodType>(of: T) => z.strictObject({ thin: of, full: of })
const anyObject = z.record(z.string(), z.unknown())

export const EventTypesAnswer = z.strictObject({
  apiVersion: z.string(),
  eventTypes: z.array(
    z.strictObject({
      type: z.string(),
      /** What will publish it: nothing does yet, though it may be subscribed to. */
      planned: z.string().optional(),
      /** JSON Schema of its payload, in each mode of a subscription. */
      schemas: byMode(anyObject),
      examples: byMode(anyObject),
    }),
  ),
})
export type EventTypesAnswer = z.infer<typeof EventTypesAnswer>

/** Every built-in type with the shape of its payloads; extensions' own types have the same shape. */
export function describeEventTypes(): EventTypesAnswer {
  return {
    apiVersion: webhookApiVersion,
    eventTypes: describedTypes.map((type) => {
      const { carries, planned } = rowOf(type)
      return {
        type,
        ...(planned !== undefined && { planned }),
        schemas: schemasOf(type),
        examples: exampleEnvelopes(type, carries),
      }
    }),
  }
}

type DescribedType = BuiltInEventType | typeof pingEventType

export const describedTypes: readonly DescribedType[] = [...builtInEventTypes, pingEventType]

function schemasOf(type: DescribedType): EventTypesAnswer['eventTypes'][number]['schemas'] {
  const { thin, full } = envelopesOf(type)
  return { thin: { ...z.toJSONSchema(thin) }, full: { ...z.toJSONSchema(full) } }
}

function rowOf(type: DescribedType): EventRow {
  return type === pingEventType ? { carries: [] } : builtInEvents[type]
}

/** Its payload in each mode: what it carries is there, and nothing else is. */
export function envelopesOf(type: DescribedType) {
  return { thin: narrowed(ThinEnvelope, type), full: narrowed(FullEnvelope, type) }
}

function narrowed(envelope: z.ZodObject, type: DescribedType): z.ZodObject {
  const { carries } = rowOf(type)
  const fields = Object.entries(envelope.shape).flatMap(([name, field]) => {
    const part = carriedParts.find((it) => it === name)
    if (part === undefined) return [[name, field] as const]
    if (!carries.includes(part)) return []
    return [[name, field instanceof z.ZodOptional ? field.unwrap() : field] as const]
  })
  return z.strictObject({ ...Object.fromEntries(fields), type: z.literal(type) })
}
