import { randomUUID } from 'node:crypto'
import { toHttpRequest } from '@svc/client/request'
import { type ProtocolOperation, protocolEndpoint } from '@svc/contracts/protocol'
import type { ProtocolOutput, ProtocolRequest } from '@svc/contracts/protocol'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { Pool } from 'undici'

/** As the service's own client, with its keys, and short of what would cost the machine under measurement. */
export interface ApiClient extends AsyncDisposable {
  call: <N extends RouteName>(
    name: N,
    token: string,
    request: RouteRequest<N>,
    signal?: AbortSignal,
  ) => Promise<RouteOutput<N>>
  protocol: <N extends ProtocolOperation>(
    name: N,
    token: string,
    request: ProtocolRequest<N> & { 'x-svc-device'?: string },
  ) => Promise<ProtocolOutput<N>>
}

export function openApiClient(origin: string, connections: number): ApiClient {
  const pool = new Pool(origin, { connections, pipelining: 1 })

  async function exchange(
    contract: EndpointContract,
    token: string,
    fields: object,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { method, path, headers, body } = toHttpRequest(contract, { ...fields })
    const answer = await pool.request({
      // every method of a contract is one of HTTP's
      method: method as 'GET',
      path,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(contract.repeat === 'keyed' && { 'idempotency-key': randomUUID() }),
      },
      body: body ?? null,
      ...(signal && { signal }),
    })
    const text = await answer.body.text()
    const parsed: unknown = JSON.parse(text)
    // a slow endpoint begins its answer before it knows whether it refuses
    if (answer.statusCode >= 300 || isRefusal(parsed)) throw new Error(`${method} ${path}: ${text}`)
    return parsed
  }

  return {
    // each contract types its answer; the service is trusted to keep it
    call: (name, token, request, signal) =>
      exchange(restContracts[name], token, request, signal) as Promise<RouteOutput<typeof name>>,
    protocol: (name, token, request) =>
      exchange(protocolEndpoint(name), token, request) as Promise<ProtocolOutput<typeof name>>,
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'error' in answer
}
