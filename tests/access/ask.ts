import { toHttpRequest } from '@svc/client/request'
import { ErrorBody } from '@svc/contracts/errors'
import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import type { Operation } from '@svc/domain/testing/operations'

export type Input = Record<string, unknown>
export interface Call {
  /** Headers that say who asks. */
  credentials: Record<string, string>
  input: Input
}
export type Ask = (call: Call) => Promise<string>

/** One call of an operation over HTTP: `ok` when it was carried out, else the code that it was refused with. */
export async function ask(
  url: string,
  operation: Pick<Operation, 'endpoint'>,
  { credentials, input }: Call,
): Promise<string> {
  const { method, path, headers, body } = toHttpRequest(operation.endpoint, input)
  const response = await fetch(url + path, {
    method,
    headers: { ...credentials, ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await textOf(response)
  const { status, reusedStatus, slow } = operation.endpoint
  const good: readonly (number | undefined)[] = [status, reusedStatus]
  // where the status of a slow answer went out before its end was known, the text alone says that it was refused
  const lateRefusal = slow ? ErrorBody.safeParse(JSON.parse(text)).data : undefined
  if (lateRefusal) return lateRefusal.error.code
  if (response.ok && good.includes(response.status)) return 'ok'
  return ErrorBody.parse(JSON.parse(text)).error.code
}

/** A feed has no end: nothing of it is read, and it is left. */
async function textOf(response: Response): Promise<string> {
  const isFeed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!isFeed) return response.text()
  await response.body?.cancel()
  return ''
}

/** The same of a tool at the endpoint for cloud agents. */
export async function askAtMcp(
  url: string,
  { name }: Operation,
  { credentials, input }: Call,
): Promise<string> {
  const params = { name, arguments: input }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...credentials,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  if (response.status === 401) return 'unauthenticated'
  if (response.status === 403) return 'forbidden'
  // what the gateway answers to a call of a tool
  const { result } = (await response.json()) as { result: ToolResult }
  return result.isError ? String(result._meta?.['svc/error'].code) : 'ok'
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
