import fc from 'fast-check'
import type { Inputs } from './entry-point-inputs.ts'
import type { EntryPoint, Values } from './entry-points.ts'
import type { Sent } from './request.ts'
import { nasty } from './values.ts'

/** One request to an entry point, before its fields have their values. */
export interface EntryPointTemplate {
  entryPoint: EntryPoint
  changes: readonly Change[]
  /** Added, or in place of what a browser sends. */
  headers: readonly (readonly [name: string, value: string])[]
  method: string | undefined
  /** What becomes of the text of the body. */
  text: ((text: string) => string | Uint8Array) | undefined
}

interface Change {
  at: number
  how: 'set' | 'drop' | 'double' | 'add'
  value: string
}

/** What a page must not say as it came. */
const markup = [
  '<svc-fuzz>',
  `"><svc-fuzz x="`,
  `'><svc-fuzz x='`,
  '" onsvc="1',
  `' onsvc='1`,
  '</title><svc-fuzz>',
  '--><svc-fuzz>',
] as const

const text = fc.oneof(
  fc.constantFrom(...markup),
  fc.constantFrom(
    'javascript:alert(1)',
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'http://127.0.0.1.evil.example/back',
    'http://127.0.0.1@evil.example/back',
    'http://127.0.0.1:1/back?here=1',
    'http://127.0.0.1/back?here=1#x',
    'x\r\nset-cookie: a=b',
    '\u202e\u2066x',
    'é'.repeat(2000),
  ),
  nasty.map((value) => (typeof value === 'string' ? value : String(JSON.stringify(value)))),
)

const changes = fc.array(
  fc.record({
    at: fc.nat(),
    how: fc.constantFrom<Change['how']>('set', 'set', 'set', 'drop', 'double', 'add'),
    value: text,
  }),
  { maxLength: 3 },
)

const headers = fc.constantFrom<readonly [string, string]>(
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['origin', 'no origin'],
  ['sec-fetch-site', 'cross-site'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-for', 'no address, ::1'],
  ['content-type', 'application/json'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', 'application/x-www-form-urlencoded; charset=utf-16'],
  ['content-encoding', 'gzip'],
  ['authorization', 'Bearer x'],
  ['authorization', 'Basic eDp4'],
  ['cookie', 'svc_session_1=x; svc_openid_1=%00; =; a'],
  ['referer', 'https://evil.example/<svc-fuzz>'],
  ['referer', 'no address'],
  ['user-agent', '<svc-fuzz>'.repeat(100)],
  ['accept', 'application/json'],
  ['accept-language', '*;q=x'],
)

export function templatesOfEntryPoint(entryPoint: EntryPoint): fc.Arbitrary<EntryPointTemplate> {
  const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: undefined })
  return fc.record({
    entryPoint: fc.constant(entryPoint),
    changes,
    headers: rarely(headers).map((one) => (one ? [one] : [])),
    method: rarely(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS')),
    text: rarely(
      fc.constantFrom<(text: string) => string | Uint8Array>(
        (given) => given.slice(0, given.length / 2),
        (given) => Uint8Array.from([...Buffer.from(given), 0xff, 0xc0]),
        (given) => `${given}&${'a=b&'.repeat(5_000)}`,
        (given) => `${given}&__proto__=x&constructor=y`,
        (given) => given.replaceAll('=', '[]='),
        (given) => `${given}&%=%zz&%ED%A0%80=%00`,
        (given) => '['.repeat(50_000) + given,
        () => '',
        () => 'null',
      ),
    ),
  })
}

export interface Visit {
  inputs: Inputs
  baseUrl: string
  /** What a browser sends that is signed in. */
  signedIn: { cookie: string; formToken: string } | undefined
  /** A network of its own, so that no limit per network is reached. */
  network: string
}

export function entryPointRequest(
  template: EntryPointTemplate,
  { signedIn, ...visit }: Visit,
): Sent {
  const { entryPoint } = template
  const { baseUrl, inputs } = visit
  const isForm = entryPoint.form !== undefined
  const fields = (values: Values) =>
    Object.entries(values).map(([name, value]): Pair => [name, value(inputs)])
  const pairs = changed(template, fields(entryPoint.form ?? entryPoint.query ?? {}))
  const encoded = pairs
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&')
  const bound = signedIn && isForm ? `form_token=${signedIn.formToken}&${encoded}` : encoded
  const body = entryPoint.json
    ? changedJson(template, entryPoint.json(inputs))
    : isForm
      ? bound
      : ''
  const method = template.method ?? entryPoint.method
  const type = entryPoint.json ? 'application/json' : 'application/x-www-form-urlencoded'
  const given = new Map<string, string>([
    ['x-forwarded-for', visit.network],
    ...(signedIn ? ([['cookie', signedIn.cookie]] as const) : []),
    ...(method === 'GET' ? [] : ([['origin', baseUrl]] as const)),
    ...(body === '' ? [] : ([['content-type', type]] as const)),
    ...template.headers,
  ])
  return {
    method,
    path: !isForm && encoded !== '' ? `${entryPoint.path}?${encoded}` : entryPoint.path,
    headers: [...given].flat(),
    body: body !== '' && template.text ? template.text(body) : body,
  }
}

type Pair = [name: string, value: string]

function changed(template: EntryPointTemplate, straight: readonly Pair[]): Pair[] {
  const pairs = [...straight]
  for (const { at, how, value } of template.changes) {
    const place = at % Math.max(1, pairs.length)
    const [name] = pairs[place] ?? ['x']
    const cut = value.slice(0, 3_000)
    if (how === 'add' || pairs.length === 0) pairs.push([cut.slice(0, 50), cut])
    else if (how === 'double') pairs.push([name, cut])
    else if (how === 'drop') pairs.splice(place, 1)
    else pairs[place] = [name, cut]
  }
  return pairs
}

function changedJson({ changes: all }: EntryPointTemplate, straight: object): string {
  const fields = Object.entries(straight)
  for (const { at, how, value } of all) {
    const [name = 'x', held] = fields[at % Math.max(1, fields.length)] ?? []
    if (how === 'drop') fields.splice(at % Math.max(1, fields.length), 1)
    else if (how === 'add') fields.push([value.slice(0, 50), value])
    else
      fields.push([name, how === 'double' ? [held, value] : Array.isArray(held) ? [value] : value])
  }
  return JSON.stringify(Object.fromEntries(fields))
}
