import { z } from 'zod'
import type { AnyToolContract } from './tool-contract.ts'
import { toolContracts } from './tools.ts'
import { widgetUri } from './widget.ts'

type JsonSchema = Record<string, unknown>

/** An entry of `tools/list`. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema: JsonSchema & { type: 'object' }
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
  _meta?: Record<string, unknown>
}

/** The whole of `tools/list`, in the order of names: one for every caller, hosted and local. */
export function describeTools(): ToolDescription[] {
  const contracts: readonly AnyToolContract[] = Object.values(toolContracts)
  return contracts.map(describeTool).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export function describeTool(contract: AnyToolContract): ToolDescription {
  const { name, title, description, hints, widget } = contract
  return {
    name,
    title,
    description,
    inputSchema: shortened(jsonSchema(contract.input, 'input'), Infinity),
    outputSchema: shortened(jsonSchema(contract.output, 'output'), contract.outputLevels ?? 2),
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
    ...(widget && { _meta: pointingAt(widgetUri(widget)) }),
  }
}

/** In the words of MCP Apps, in its older ones, and in those of a client that had its own first. */
function pointingAt(resourceUri: string) {
  return {
    ui: { resourceUri },
    'ui/resourceUri': resourceUri,
    'openai/outputTemplate': resourceUri,
  }
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _shared,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  })
  return rest
}

/**
 * The same shape in fewer bytes: without the patterns and bounds that a format or type already says, and an output
 * only so many levels deep and open below, because clients load the whole list into a model's context.
 */
function shortened(schema: JsonSchema, levels: number): JsonSchema & { type: 'object' } {
  const isOutput = levels !== Infinity
  const { required } = schema
  return {
    ...shorten(schema, levels, isOutput),
    type: 'object',
    ...(required !== undefined && { required }),
  }
}

function shorten(schema: JsonSchema, levels: number, isOutput: boolean): JsonSchema {
  if ('$ref' in schema) return {}
  const choices = asList(schema['anyOf']).map((choice) => shorten(choice, levels, isOutput))
  if (choices.length > 0) return shortChoice(schema, choices)
  const kept = Object.entries(schema).filter(
    ([key, value]) => !isNoise(schema, key, value, isOutput),
  )
  const short: JsonSchema = Object.fromEntries(kept)
  if (schema['type'] === 'object') return shortObject(short, levels, isOutput)
  if (isSchema(schema['items'])) short['items'] = shortItem(schema['items'], levels, isOutput)
  return short
}

/** Items that may be anything are described as objects, which is what they are when they are right. */
function shortItem(schema: JsonSchema, levels: number, isOutput: boolean): JsonSchema {
  const short = shorten(schema, levels, isOutput)
  return Object.keys(short).length > 0 ? short : { type: 'object' }
}

function shortObject(schema: JsonSchema, levels: number, isOutput: boolean): JsonSchema {
  if (levels === 0) return { type: 'object' }
  const { propertyNames: _names, required, ...rest } = schema
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => [
    name,
    shorten(property, levels - 1, isOutput),
  ])
  return {
    ...rest,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required !== undefined && !isOutput && { required }),
  }
}

/** Two spellings of one id are a string; a value or nothing is one type list. */
function shortChoice(schema: JsonSchema, choices: JsonSchema[]): JsonSchema {
  const { anyOf: _choices, ...rest } = schema
  const filled = choices.filter((choice) => choice['type'] !== 'null')
  const [only] = filled
  if (filled.every((choice) => choice['type'] === 'string')) {
    const one = filled.length === 1 ? only : { type: 'string' }
    const short = { ...one, ...rest }
    return filled.length === choices.length ? short : nullable(short)
  }
  if (filled.length === 1 && only && filled.length < choices.length) {
    return typeof only['type'] === 'string' ? nullable({ ...rest, ...only }) : { ...rest }
  }
  return { ...rest, anyOf: choices }
}

function nullable(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema
  const choices = Array.isArray(values) ? { enum: [...Array.from<unknown>(values), null] } : {}
  return { ...rest, ...choices, type: [schema['type'], 'null'] }
}

function isNoise(schema: JsonSchema, key: string, value: unknown, isOutput: boolean): boolean {
  if (key === 'pattern') return 'format' in schema || isOutput
  if (key === 'minLength') return isOutput || value === 1
  if (key === 'default') return isOutput || Array.isArray(value)
  if (key === 'maximum' || key === 'minimum')
    return isOutput || Math.abs(Number(value)) >= 2 ** 53 - 1
  if (!isOutput) return false
  return [
    'additionalProperties',
    'examples',
    'format',
    'maxLength',
    'minItems',
    'maxItems',
  ].includes(key)
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  // JSON Schema says so of every object schema, and zod made this one
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>
}

function asList(value: unknown): JsonSchema[] {
  // `anyOf` is a list of schemas
  return Array.isArray(value) ? (value as JsonSchema[]) : []
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
