import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** The names of the fields that the object there has, those that it cannot do without first; none where it has none. */
export function fieldsAt(input: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const root = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const { properties = {}, required = [] } = path.reduce(below, root)
  const names = Object.keys(properties)
  return [...required, ...names.filter((name) => !required.includes(name))]
}

function below(schema: JsonSchema, key: PropertyKey): JsonSchema {
  const { properties = {}, items } = schema
  const found = typeof key === 'number' ? items : properties[String(key)]
  return typeof found === 'object' && !Array.isArray(found) ? found : {}
}
