import { z } from 'zod'
import { resources } from './resources.ts'

export type JsonSchema = Record<string, unknown>

const namesOfResources = new Map<unknown, string>(
  Object.entries(resources).map(([name, schema]) => [schema, name]),
)

/** Strict, as a request is judged. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  return asJsonSchema(schema, { io: 'input' })
}

/** Open, because an answer may have more fields in a later version. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const name = namesOfResources.get(schema)
  return name === undefined ? answerShape(schema) : referenceTo(name)
}

/** Every named resource under its name. */
export function resourceSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(resources).map(([name, schema]) => [name, answerShape(schema)]),
  )
}

function answerShape(schema: z.ZodType): JsonSchema {
  return asJsonSchema(schema, { io: 'output', override: referToResource })
}

function referenceTo(name: string): JsonSchema & { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function referToResource({ zodSchema, jsonSchema, path }: OverrideContext): void {
  const name = namesOfResources.get(zodSchema)
  if (name === undefined || path.length === 0) return
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
  Object.assign(jsonSchema, referenceTo(name))
}

type Options = Pick<z.core.ToJSONSchemaParams, 'io' | 'override'>
type OverrideContext = Parameters<NonNullable<Options['override']>>[0]

function asJsonSchema(schema: z.ZodType, options: Options): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _recursive,
    ...shape
  } = z.toJSONSchema(schema, { target: 'draft-2020-12', unrepresentable: 'any', ...options })
  // what a walk over JSON Schema yields is JSON Schema again
  return JSON.parse(JSON.stringify(shape), (key, value: unknown) =>
    isNoise(key, value, options.io) ? undefined : simplified(value),
  ) as JsonSchema
}

function isNoise(key: string, value: unknown, io: Options['io']): boolean {
  if (key === 'minimum' || key === 'maximum') return Math.abs(Number(value)) >= 2 ** 53 - 1
  return io === 'output' && key === 'additionalProperties' && value === false
}

/** A format says what its pattern does; and the one shape that holds itself is any JSON. */
function simplified(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('$ref' in value && String(value.$ref).startsWith('#/$defs/')) return {}
  if (!('format' in value) || !('pattern' in value)) return value
  const { pattern: _said, ...rest } = value
  return rest
}
