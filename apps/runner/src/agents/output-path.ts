import { z } from 'zod'

/** Where a value stands in the agent's output: in which events, and under which keys. */
export const OutputPath = z.strictObject({
  event: z.record(z.string(), z.union([z.string(), z.boolean()])),
  path: z.array(z.string()).min(1),
})
export type OutputPath = z.infer<typeof OutputPath>

export function valueAt(event: unknown, { event: wanted, path }: OutputPath): unknown {
  const matches = Object.entries(wanted).every(([key, value]) => property(event, key) === value)
  return matches ? path.reduce(property, event) : undefined
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? // hasOwn just said so.
      (value as Record<string, unknown>)[key]
    : undefined
}
