import { code } from './markdown.ts'

/** What of JSON Schema the contracts use. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: string | number | boolean
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  description?: string | undefined
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  default?: unknown
  examples?: unknown[]
}

/** A shape in a few words: `string`, `Mission[]`, `{ id, title? }`. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, type, format, items, anyOf, oneOf, additionalProperties } = schema
  if ($ref !== undefined) return linkTo(String($ref.split('/').at(-1)))
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.enum) return eachOnce(schema.enum.map((it) => code(String(it))))
  if (anyOf) return eachOnce(anyOf.map(typeOf))
  if (oneOf) return eachOnce(oneOf.map(typeOf))
  if (type === 'array') return `${typeOf(items ?? {})}[]`
  const fields = fieldsOf(schema)
  if (fields.length > 0) {
    const names = fields.map(({ name, isRequired }) => name + (isRequired ? '' : '?'))
    return code(`{ ${names.join(', ')} }`)
  }
  if (additionalProperties) return 'object'
  return format ?? eachOnce([type ?? 'any'].flat())
}

export function fieldsOf({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    schema,
  }))
}

/** Its description, bounds, default and example. */
export function meaningOf(schema: JsonSchema): string {
  const { description, maxLength, minItems = 0, maxItems, minimum = 0, maximum } = schema
  return [
    description,
    maxLength && `at most ${maxLength} characters`,
    maxItems && `${minItems} to ${maxItems} entries`,
    maximum && `${minimum} to ${maximum}`,
    schema.default !== undefined && `default ${code(JSON.stringify(schema.default))}`,
    schema.examples && `as in ${code(JSON.stringify(schema.examples[0]))}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function eachOnce(words: string[]): string {
  return [...new Set(words)].join(' or ')
}
