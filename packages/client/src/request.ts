import type { EndpointContract } from '@svc/contracts/rest/endpoint'

export interface HttpRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | undefined
}

/** Where a contract wants which field; what it does not name goes into the body, where there is one. */
export interface Places {
  method: string
  path: string
  params: readonly string[]
  query: readonly string[]
  headers: readonly string[]
  body: 'json' | 'bytes' | 'none'
  answer: 'json' | 'bytes' | 'none'
  /** A call that got no answer is sent again under the Idempotency-Key of its first try. */
  isKeyed: boolean
}

type Fields = Record<string, unknown>

/** Puts every field of a request where its contract wants it: path, query, header, or else body. */
export function toHttpRequest(contract: EndpointContract, fields: Fields): HttpRequest {
  return fillIn(placesOf(contract), fields)
}

export function placesOf(contract: EndpointContract): Places {
  const { method, path, params, query, headers, body, answer, repeat } = contract
  return {
    method,
    path,
    params: Object.keys(params?.shape ?? {}),
    query: Object.keys(query?.shape ?? {}),
    headers: Object.keys(headers?.shape ?? {}),
    body: body === 'bytes' ? 'bytes' : body ? 'json' : 'none',
    answer: typeof answer === 'string' ? answer : 'json',
    isKeyed: repeat === 'keyed',
  }
}

export function fillIn(places: Places, fields: Fields): HttpRequest {
  const params = pick(fields, places.params)
  const query = pick(fields, places.query)
  const headers = pick(fields, places.headers)
  const rest = omit(fields, { ...params, ...query, ...headers })
  return {
    method: places.method,
    path: fillPath(places.path, params) + queryString(query),
    headers: { ...texts(headers), ...contentTypes[places.body] },
    body: bodyOf(places, rest),
  }
}

const contentTypes = {
  none: {},
  json: { 'content-type': 'application/json' },
  bytes: { 'content-type': 'application/octet-stream' },
} as const

function pick(fields: Fields, names: readonly string[]): Fields {
  const given = names.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, fields[name]]))
}

function omit(fields: Fields, taken: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(taken, name)))
}

function texts(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function fillPath(path: string, params: Fields): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
}

function queryString(query: Fields): string {
  const text = new URLSearchParams(texts(query)).toString()
  return text ? `?${text}` : ''
}

function bodyOf({ body }: Places, rest: Fields): HttpRequest['body'] {
  if (body === 'none') return undefined
  if (body === 'json') return JSON.stringify(rest)
  // The request's type of an endpoint that takes bytes says so.
  return Uint8Array.from(rest['bytes'] as Uint8Array)
}
