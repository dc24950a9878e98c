import { type Naming, levelOf, namingOf } from '@svc/domain/testing/naming'
import type { Operation } from '@svc/domain/testing/operations'
import fc from 'fast-check'
import { z } from 'zod'
import { type Fields, nasty, nearly, valueOf } from './values.ts'

type Values = Readonly<Record<string, unknown>>

/** One request in which placeholders still stand for the names of existing things. */
export interface RequestTemplate {
  operation: Operation
  via: 'api' | 'mcp' | 'mcp 2026-07-28'
  params: Values
  query: Values
  headers: Values
  body: unknown
  mutation: Mutation
}

/** What is made wrong in the request as a whole; empty for most. */
export interface Mutation {
  method?: string
  /** In place of a parameter of the path, as it is. */
  part?: string
  /** Added, also to one of the same name. */
  header?: readonly [name: string, value: string]
  query?: string
  /** What becomes of the text of the body. */
  text?: (text: string) => string | Uint8Array
  token?: string
}

/** Stands for the name of something that is there when the request is sent. */
export interface Named {
  $names: Naming | 'leaseToken'
}

const name = ($names: Named['$names']): fc.Arbitrary<Named> => fc.constant({ $names })

/** A placeholder that was mutated names nothing any more: it is sent as it is. */
export function isNamed(value: object): value is Named {
  if (!('$names' in value) || typeof value.$names !== 'string') return false
  return value.$names === 'leaseToken' || Object.hasOwn(levelOf, value.$names)
}

const mostly = (common: fc.Arbitrary<unknown>, rare: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: common }, { weight: 1, arbitrary: rare })

/** Fields whose values decide how far a call comes, and those that could make one wait. */
const knownFields: Fields = {
  ...Object.fromEntries(
    // the keys of an object literal are its key type
    (Object.keys(levelOf) as Naming[]).map((naming) => [naming, mostly(name(naming), fc.uuid())]),
  ),
  leaseToken: mostly(name('leaseToken'), fc.string({ maxLength: 250 })),
  waitSeconds: fc.constantFrom(0, 0, 0.01),
  confirm: mostly(fc.constant(true), fc.boolean()),
  agent: mostly(fc.constant('scripted'), fc.string({ maxLength: 50 })),
  expectedRevision: fc.constantFrom(0, 1, 2, 3, 2 ** 40),
  endpointUrl: fc.constantFrom('http://127.0.0.1:9/hook', 'http://[::1]/', 'ftp://x/', 'http://'),
  changeRationales: fc.oneof(
    nasty,
    fc.constant([{ filePath: 'a.ts', label: 'x', summary: 'x', why: 'x', impact: 'x' }]),
  ),
  items: fc.array(
    fc.oneof(nasty, fc.record({ filePath: fc.string(), vcsStatus: fc.constantFrom('added', 'x') })),
    { maxLength: 4 },
  ),
}

/** Requests that are valid for the operation, nearly so, or not at all. */
export function templatesOf(operation: Operation): fc.Arbitrary<RequestTemplate> {
  const { endpoint, surface, idOf } = operation
  const id =
    idOf !== undefined && 'id' in (endpoint.params?.shape ?? {})
      ? namingOf(operation, 'id')
      : undefined
  const fields: Fields = id ? { ...knownFields, id: mostly(name(id), fc.uuid()) } : knownFields
  const whole = (schema: z.ZodType) => mutateSome(valueOf(jsonSchemaOf(schema), fields))
  const part = (schema: z.ZodType | undefined) =>
    schema ? whole(schema).map(asValues) : fc.constant({})
  const { body } = endpoint
  return fc.record({
    operation: fc.constant(operation),
    via:
      surface === 'tool'
        ? fc.constantFrom('api' as const, 'mcp' as const, 'mcp 2026-07-28' as const)
        : fc.constant('api' as const),
    params: part(endpoint.params),
    query: part(endpoint.query),
    headers: part(endpoint.headers),
    body:
      body === 'bytes' ? fc.uint8Array({ maxLength: 50 }) : body ? whole(body) : fc.constant({}),
    mutation: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: mutations },
    ),
  })
}

/** Path, query and headers are made of named parts, whatever they were mutated to. */
function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function mutateSome(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: value }, { weight: 2, arbitrary: nearly(value) })
}

function jsonSchemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
  }),
  fc.record({
    part: fc.constantFrom(
      '%00',
      '%',
      '%zz',
      '%C0%80',
      '%2F',
      '..',
      '.',
      '',
      '%ED%A0%80',
      "a'b",
      'x'.repeat(9000),
      '%F0%9F%98%80',
      ':id',
      '*',
      '%25',
    ),
  }),
  fc.record({
    query: fc.constantFrom(
      'limit=1&limit=2',
      'cursor=%00',
      'cursor=x',
      'limit=NaN',
      'limit=1e3',
      'limit=%EF%BC%91',
      '=',
      '&&',
      '__proto__=1',
      'a[]=1',
      '%',
      'query=%ED%A0%80',
      `query=${'a%20'.repeat(100)}`,
    ),
  }),
  fc.record({
    header: fc.constantFrom<[string, string]>(
      ['content-type', 'text/plain'],
      ['content-type', 'application/json; charset=utf-16'],
      ['content-type', 'application/json;charset=utf-8'],
      ['content-encoding', 'gzip'],
      ['idempotency-key', 'one'],
      ['idempotency-key', 'ä'],
      ['idempotency-key', 'x'.repeat(300)],
      ['authorization', 'Bearer x'],
      ['x-svc-device', 'x'.repeat(300)],
      ['x-svc-offset', 'NaN'],
      ['x-svc-offset', '1e400'],
      ['x-svc-offset', '99999999999999999999'],
      ['last-event-id', '99999999999999999999.1'],
      ['mcp-protocol-version', '2099-01-01'],
      ['accept', 'text/html'],
      ['expect', 'x'],
      ['x-forwarded-for', 'no address, ::1'],
      ['origin', 'null'],
    ),
  }),
  fc.record({
    text: fc.constantFrom<(text: string) => string | Uint8Array>(
      (text) => text.slice(0, text.length / 2),
      (text) => `\ufeff${text}`,
      (text) => text.replace(/[0-9]+/, 'NaN'),
      (text) => text.replace(/[0-9]+/, '1e999'),
      (text) => text.replace('}', ',}'),
      (text) => text.replace('{', '{"id":1,"id":2,'),
      (text) => text.replace(/"(\w)/, '"\\ud800$1'),
      (text) => `[${text}]`,
      (text) => '['.repeat(50_000) + text,
      (text) => Uint8Array.from([...Buffer.from(text), 0xff, 0xc0]),
      () => '',
      () => 'null',
      () => '"x"',
      () => '-',
    ),
  }),
  fc.record({ token: fc.constantFrom('', 'x', 'svcut_', `svcut_${'0'.repeat(49)}`, 'é') }),
)
