import { type Agent, request as httpRequest } from 'node:http'
import type { Furnished } from '@svc/testing/furnished'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { type Shot, isNamed } from './shots.ts'

export interface Target {
  agent: Agent
  url: string
}

export interface Means {
  token: string
  furnished: Furnished
}

export interface Sent {
  method: string
  path: string
  headers: string[]
  body: string | Uint8Array
}

export interface Answer {
  status: number
  type: string
  text: string
}

export function requestOf(shot: Shot, { token, furnished }: Means): Sent {
  const { bent, via } = shot
  const named = <T>(value: T): T => resolve(value, furnished) as T
  const bearer = bent.token ?? token
  const body = bodyOf({ ...shot, body: named(shot.body) })
  const { method, path } =
    via === 'api'
      ? addressOf(shot.operation.endpoint, shot, named)
      : { method: 'POST', path: '/mcp' }
  const type =
    shot.operation.endpoint.body === 'bytes' ? 'application/octet-stream' : 'application/json'
  const query = [
    ...Object.entries(via === 'api' ? named(shot.query) : {}).map(
      ([name, value]) => `${encode(name)}=${encode(text(value))}`,
    ),
    bent.query,
  ].filter((one) => one !== undefined)
  const headers = {
    authorization: `Bearer ${bearer}`,
    ...(body.length > 0 && { 'content-type': type }),
    ...(via === 'api'
      ? asHeaders(named(shot.headers))
      : { accept: 'application/json, text/event-stream' }),
    ...(via === 'mcp 2026-07-28' && {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': shot.operation.name,
    }),
  }
  return {
    method: bent.method ?? method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: [...Object.entries(headers), ...(bent.header ? [bent.header] : [])].flat(),
    body: typeof body === 'string' && bent.text ? bent.text(body) : body,
  }
}

function addressOf(
  { method, path }: EndpointContract,
  { params, bent }: Shot,
  named: <T>(value: T) => T,
) {
  const given = named(params)
  let bend = bent.part
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = bend ?? encode(text(given[name]))
    bend = undefined
    return value
  })
  return { method, path: filled }
}

function bodyOf({ via, operation, body }: Shot): string | Uint8Array {
  if (body instanceof Uint8Array) return body
  if (via === 'api') return operation.endpoint.body ? String(JSON.stringify(body)) : ''
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  }
  const params = { name: operation.name, arguments: body, ...(via !== 'mcp' && { _meta: meta }) }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
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
  return encodeURIComponent(value.toWellFormed().slice(0, 3000))
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
    Object.defineProperty(made, key, {
      value: resolve(one, furnished),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return made
}

const patienceMs = 20_000

/** Undefined where no such request can be sent. An answer without end is read as far as its headers. */
export async function send(
  { agent, url }: Target,
  { method, path, headers, body }: Sent,
): Promise<Answer | 'hangs' | undefined> {
  const late = AbortSignal.timeout(patienceMs)
  const length = Buffer.byteLength(body)
  const whole = [
    ...headers,
    'host',
    new URL(url).host,
    ...(length > 0 ? ['content-length', String(length)] : []),
  ]
  const { promise, resolve: settle, reject } = Promise.withResolvers<Answer>()
  try {
    const request = httpRequest(url, { agent, method, path, headers: whole, signal: late })
    request.on('error', reject)
    request.on('response', (response) => {
      const type = String(response.headers['content-type'] ?? '')
      const status = response.statusCode ?? 0
      if (type.startsWith('text/event-stream')) {
        response.destroy()
        return settle({ status, type, text: '' })
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => settle({ status, type, text: Buffer.concat(chunks).toString() }))
    })
    request.end(body)
    return await promise
  } catch (error) {
    if (late.aborted) return 'hangs'
    if (isUnsendable(error)) return undefined
    throw error
  }
}

/** Node sends no such header or path, or the server has closed a connection on which what comes next was no HTTP. */
function isUnsendable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ERR_INVALID_\w+|ERR_UNESCAPED_CHARACTERS|ECONNRESET|EPIPE|HPE_\w+)$/.test(String(error.code))
  )
}
