import type { Furnished } from '@svc/domain/testing/furnished'
import { type RequestTemplate, isNamed } from './request-templates.ts'

export interface Means {
  token: string
  /** Headers of a browser that is signed in, for what tokens are not good for. */
  browser?: Readonly<Record<string, string>> | undefined
  furnished: Furnished
}

/** A request as it is sent, every header after its name. */
export interface Sent {
  method: string
  path: string
  headers: string[]
  body: string | Uint8Array
}

/** The request with names for its placeholders, and with its mutation. */
export function requestOf(template: RequestTemplate, { token, browser, furnished }: Means): Sent {
  const { mutation } = template
  // what has the shape of values has it still
  const named = resolve(
    { ...template, operation: undefined, mutation: undefined },
    furnished,
  ) as RequestTemplate
  const straight = (template.via === 'api' ? toApi : toMcp)({
    ...named,
    operation: template.operation,
    mutation,
  })
  const headers = {
    ...(browser && mutation.token === undefined
      ? browser
      : { authorization: `Bearer ${mutation.token ?? token}` }),
    ...(straight.body.length > 0 && { 'content-type': straight.type }),
    ...straight.headers,
  }
  const query = [straight.query, mutation.query].filter(Boolean).join('&')
  const { body } = straight
  return {
    method: mutation.method ?? straight.method,
    path: query ? `${straight.path}?${query}` : straight.path,
    headers: [...Object.entries(headers), ...(mutation.header ? [mutation.header] : [])].flat(),
    body: typeof body === 'string' && mutation.text ? mutation.text(body) : body,
  }
}

interface Straight {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  type: string
  body: string | Uint8Array
}

function toApi({
  operation: { endpoint },
  params,
  query,
  headers,
  body,
  mutation,
}: RequestTemplate): Straight {
  let part = mutation.part
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = part ?? encode(text(params[name]))
    part = undefined
    return value
  })
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encode(name)}=${encode(text(value))}`,
  )
  const { method } = endpoint
  const whole = { method, path, query: pairs.join('&'), headers: asHeaders(headers) }
  if (body instanceof Uint8Array) return { ...whole, type: 'application/octet-stream', body }
  const json = endpoint.body ? String(JSON.stringify(body)) : ''
  return { ...whole, type: 'application/json', body: json }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
}

function toMcp({ operation: { name }, via, body }: RequestTemplate): Straight {
  const isNew = via !== 'mcp'
  const params = { name, arguments: body, ...(isNew && { _meta: meta }) }
  return {
    method: 'POST',
    path: '/mcp',
    query: '',
    headers: {
      accept: 'application/json, text/event-stream',
      ...(isNew && {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      }),
    },
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

/** Headers can hold no more than this. */
function asHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      text(value)
        .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
        .slice(0, 4000),
    ]),
  )
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value))
}

function encode(value: string): string {
  return encodeURIComponent(value.slice(0, 3000).toWellFormed())
}

function resolve(value: unknown, furnished: Furnished): unknown {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => resolve(one, furnished))
  if (isNamed(value)) {
    const { $names } = value
    return $names === 'leaseToken' ? furnished.lease.leaseToken : furnished.names[$names]
  }
  const made: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    // also under a name that an assignment would not take for a field
    const field = { enumerable: true, configurable: true, writable: true }
    Object.defineProperty(made, key, { ...field, value: resolve(one, furnished) })
  }
  return made
}
