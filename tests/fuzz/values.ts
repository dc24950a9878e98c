import fc from 'fast-check'

type Schema = Readonly<Record<string, unknown>>

/** What nobody means to send, whatever the field. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, [], {}, '', ' ', 'NaN', '0', '-1', 'true', 'null'),
  fc.constantFrom(0, -0, -1, 1.5, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63)),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfff',
    '\u202e\ufeff',
    '%00',
    '../..',
    "';--",
  ),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'fresh:0',
    'fresh:999999999',
    'a:1.zzzz',
    'resolve',
    '9999-12-31T23:59:59.999999+14:00',
    '0000-01-01T00:00:00Z',
  ),
  fc
    .constantFrom('{"__proto__":{"a":1}}', '{"constructor":1}')
    .map((text): unknown => JSON.parse(text)),
  fc.constantFrom(40, 200).map((depth) => nested(depth)),
  fc.constantFrom(300, 20_001, 300_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom(101, 1001, 3000).map((length) => Array.from({ length }, () => 'x')),
  fc.jsonValue({ maxDepth: 2 }),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** What a schema allows. `override` gives the fields of this name other values, at whatever depth. */
export function valueOf(schema: unknown, override: Fields = {}): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null) return fc.jsonValue({ maxDepth: 1 })
  // every part of a JSON Schema that is an object is one again
  const given = schema as Schema
  const choices = given['anyOf'] ?? given['oneOf']
  if ('const' in given) return fc.constant(given['const'])
  if (Array.isArray(given['enum'])) return fc.constantFrom<unknown>(...given['enum'])
  if (Array.isArray(choices)) return fc.oneof(...choices.map((one) => valueOf(one, override)))
  const make = makers[String(given['type'])]
  return make ? make(given, override) : fc.jsonValue({ maxDepth: 2 })
}

export type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>

const makers: Readonly<
  Record<string, (schema: Schema, override: Fields) => fc.Arbitrary<unknown>>
> = {
  string: textOf,
  integer: (schema) => fc.integer(rangeOf(schema)),
  number: (schema) => fc.double({ ...rangeOf(schema), noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: (schema, override) =>
    fc.array(valueOf(schema['items'], override), {
      minLength: numberAt(schema, 'minItems', 0),
      maxLength: Math.min(numberAt(schema, 'maxItems', 3), numberAt(schema, 'minItems', 0) + 3),
    }),
  object: objectOf,
}

function rangeOf(schema: Schema): { min: number; max: number } {
  const min = numberAt(schema, 'minimum', -1000)
  return { min, max: Math.max(min, numberAt(schema, 'maximum', 1_000_000)) }
}

function numberAt(schema: Schema, key: string, otherwise: number): number {
  const value = schema[key]
  return typeof value === 'number' ? value : otherwise
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema['format'] === 'uuid') return fc.uuid()
  if (schema['format'] === 'date-time') {
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString())
  }
  const pattern = schema['pattern']
  if (typeof pattern === 'string') {
    // some patterns look around, which no generator follows
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
    } catch {
      return fc.constantFrom('main', 'web', 'x')
    }
  }
  const minLength = numberAt(schema, 'minLength', 0)
  const maxLength = Math.min(numberAt(schema, 'maxLength', 30), minLength + 30)
  return fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', ' ', 'é', '𝛑', "'"),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    minLength,
    maxLength,
  })
}

function objectOf(schema: Schema, override: Fields): fc.Arbitrary<unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  // an object of schemas
  const fields = Object.entries((schema['properties'] ?? {}) as Schema)
  const model = Object.fromEntries(
    fields.map(([name, field]) => [name, override[name] ?? valueOf(field, override)]),
  )
  const known = fc.record(model, { requiredKeys: required.filter((name) => name in model) })
  const extra = schema['additionalProperties']
  if (typeof extra !== 'object') return known
  return fc
    .tuple(
      known,
      fc.dictionary(fc.string({ maxLength: 10 }), valueOf(extra, override), { maxKeys: 3 }),
    )
    .map(([one, other]) => ({ ...other, ...one }))
}

/** The same with one to three parts of it replaced, left out or added. */
export function nearly(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'drop', 'add'), nasty), {
    minLength: 1,
    maxLength: 3,
  })
  return fc.tuple(value, changes).map(([whole, list]) => {
    const box: Record<string, unknown> = { whole: structuredClone(whole) }
    // its own copy: what is changed next may be a part of it, and it may be drawn again
    for (const [at, how, with_] of list) change(box, { at, how, value: structuredClone(with_) })
    return box['whole']
  })
}

interface Change {
  at: number
  how: string
  value: unknown
}

function change(box: Record<string, unknown>, { at, how, value }: Change): void {
  const places = placesIn(box, 0)
  const place = places[at % places.length]
  if (!place) return
  const { holder, key } = place
  if (how === 'add') {
    const inner = holder[key]
    if (typeof inner === 'object' && inner !== null) Object.assign(inner, { unknownField: value })
  } else if (how === 'drop' && key !== 'whole') delete holder[key]
  else holder[key] = value
}

interface Held {
  holder: Record<string, unknown>
  key: string
}

function placesIn(holder: Record<string, unknown>, depth: number): Held[] {
  return Object.entries(holder).flatMap(([key, inner]) => [
    { holder, key },
    // an array is an object with keys, too
    ...(typeof inner === 'object' && inner !== null && depth < 6
      ? placesIn(inner as Record<string, unknown>, depth + 1)
      : []),
  ])
}
