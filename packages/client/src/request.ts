import type { EndpointContract } from '@svc/contracts/rest/endpoint'

export interface HttpRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | undefined
}

type Fields = Record<string, unknown>

/** Puts every field of a request where its contract wants it: path, query, header, or else body. */
export function toHttpRequest(contract: EndpointContract, fields: Fields): HttpRequest {
  const params = pick(fields, contract.params)
  const query = pick(fields, contract.query)
  const headers = pick(fields, contract.headers)
  const rest = omit(fields, { ...params, ...query, ...headers })
  return {
    method: contract.method,
    path: fillPath(contract.path, params) + queryString(query),
    headers: { ...texts(headers), ...contentType(contract) },
    body: bodyOf(contract, rest),
  }
}

function pick(fields: Fields, schema: EndpointContract['params']): Fields {
  const names = Object.keys(schema?.shape ?? {}).filter((name) => fields[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
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

function contentType(contract: EndpointContract): Record<string, string> {
  if (contract.body === 'bytes') return { 'content-type': 'application/octet-stream' }
  return contract.body ? { 'content-type': 'application/json' } : {}
}

function bodyOf(contract: EndpointContract, rest: Fields): HttpRequest['body'] {
  if (!contract.body) return undefined
  if (contract.body !== 'bytes') return JSON.stringify(rest)
  // The request's type of an endpoint that takes bytes says so.
  return Uint8Array.from(rest['bytes'] as Uint8Array)
}
