import { type Dispatcher, request } from 'undici'
import { parseEndpointUrl } from './endpoint-url.ts'
import { agentOf } from './guarded-agent.ts'
import type { Policy } from './policy.ts'

export interface GuardedFetchOptions {
  policy: Policy
  /** Over everything: DNS, connection, TLS, request, answer. */
  timeoutMs?: number
  /** A longer answer is refused. */
  mostBytes?: number
}

export interface GuardedRequest {
  method: string
  headers: Record<string, string>
  body?: string | URLSearchParams | Uint8Array | null | undefined
  signal?: AbortSignal | undefined
}

export type GuardedFetch = (url: string, init: GuardedRequest) => Promise<Response>

/** As `fetch`, but for whom it reaches: no redirect is followed, and of an answer no more is read than is given here. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, timeoutMs = 10_000, mostBytes = 256 * 1024 } = options
  return async (url, { method, headers, body, signal }) => {
    const endpoint = parseEndpointUrl(url, policy)
    if (!endpoint.ok) throw new Error(endpoint.message)
    const deadline = AbortSignal.timeout(timeoutMs)
    const answer = await request(endpoint.url, {
      dispatcher: agentOf(policy),
      // undici names the methods, which here any caller chooses
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body instanceof URLSearchParams ? body.toString() : (body ?? null),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const bytes = await readUpTo(answer.body, mostBytes)
    const isEmpty = [204, 205, 304].includes(answer.statusCode)
    return new Response(isEmpty ? null : bytes, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, values = []]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    })
  }
}

async function readUpTo(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > most) throw new Error(`The answer is longer than ${most} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
