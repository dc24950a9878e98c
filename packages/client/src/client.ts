import {
  type ProtocolOperation,
  type ProtocolOutput,
  type ProtocolRequest,
  protocolEndpoint,
} from '@svc/contracts/protocol'
import {
  type BytesAnswer,
  type RouteName,
  type RouteOutput,
  type RouteRequest,
  restContracts,
} from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import {
  type ToolName,
  type ToolOutput,
  type ToolRequest,
  toolEndpoint,
} from '@svc/contracts/mcp/tools'
import { fitTogether, version, versionHeader } from '@svc/contracts/version'
import { type FeedEvent, type FeedRequest, readFeed } from './feed.ts'
import { type HttpRequest, toHttpRequest } from './request.ts'
import { type RetryOptions, defaultRetry } from './retry.ts'
import { type HttpAnswer, readJson, sendWithRetries } from './send-with-retries.ts'

export interface ClientOptions {
  /** The origin of the service, such as `http://127.0.0.1:4600`. */
  baseUrl: string
  /** Left out by whoever calls what is public alone. */
  token?: string
  /** Fingerprint of this machine: answers then say how resources are linked here. */
  device?: string
  /** Ends every call and feed of this client. */
  signal?: AbortSignal
  retry?: Partial<RetryOptions>
  /** Told once where the service is of a version that is too far from this one. */
  onOtherVersion?: (served: string) => void
}

export interface CallOptions {
  signal?: AbortSignal
  /** Names this call for good, for a caller that will repeat it after a crash; else one is made per call. */
  idempotencyKey?: string
  retry?: Partial<RetryOptions>
}

export interface Client {
  /** Throws RefusedError when the service says no, UnreachableError when it cannot be reached. */
  call: <N extends RouteName>(
    name: N,
    request: RouteRequest<N>,
    options?: CallOptions,
  ) => Promise<RouteOutput<N>>
  protocol: <N extends ProtocolOperation>(
    operation: N,
    input: ProtocolRequest<N>,
    options?: CallOptions,
  ) => Promise<ProtocolOutput<N>>
  /** A tool of the catalog, as a local connector calls it. */
  tool: <N extends ToolName>(
    name: N,
    input: ToolRequest<N>,
    options?: CallOptions,
  ) => Promise<ToolOutput<N>>
  /** Reconnects by itself until the signal aborts. */
  feed: (request?: FeedRequest) => AsyncIterable<FeedEvent>
}

export function createClient(client: ClientOptions): Client {
  const baseUrl = client.baseUrl.replace(/\/+$/, '')
  const headers = {
    [versionHeader]: version,
    ...(client.token !== undefined && { authorization: `Bearer ${client.token}` }),
    ...(client.device !== undefined && { 'x-svc-device': client.device }),
  }

  let isTold = client.onOtherVersion === undefined
  const onAnswer = ({ headers: { [versionHeader]: served } }: HttpAnswer) => {
    if (isTold || served === undefined || fitTogether(served, version)) return
    isTold = true
    client.onOtherVersion?.(served)
  }

  async function exchange(
    contract: EndpointContract,
    fields: Record<string, unknown>,
    options: CallOptions,
  ): Promise<unknown> {
    const request = toHttpRequest(contract, fields)
    const key =
      options.idempotencyKey ?? (contract.repeat === 'keyed' ? crypto.randomUUID() : undefined)
    const named = { ...headers, ...request.headers, ...(key && { 'idempotency-key': key }) }
    const sent: HttpRequest = { ...request, headers: named }
    const answer = await sendWithRetries(sent, {
      baseUrl,
      retry: { ...defaultRetry, ...client.retry, ...options.retry },
      signal: anyOf(client.signal, options.signal),
      onAnswer,
    })
    return readAnswer(contract, answer)
  }

  return {
    // The contract types each answer; the service is trusted to keep it.
    call: (name, request, options = {}) =>
      exchange(restContracts[name], request, options) as Promise<RouteOutput<typeof name>>,
    protocol: (operation, input, options = {}) =>
      exchange(protocolEndpoint(operation), { ...input }, options) as Promise<
        ProtocolOutput<typeof operation>
      >,
    tool: (name, input, options = {}) =>
      exchange(toolEndpoint(name), { ...input }, options) as Promise<ToolOutput<typeof name>>,
    feed: (request = {}) => {
      const signal = anyOf(client.signal, request.signal)
      const retry = { ...defaultRetry, ...client.retry }
      return readFeed({ baseUrl, headers, retry }, { ...request, ...(signal && { signal }) })
    },
  }
}

function readAnswer(contract: EndpointContract, answer: HttpAnswer): unknown {
  if (contract.answer === 'none') return undefined
  if (contract.answer !== 'bytes') return readJson(answer)
  const { bytes, headers } = answer
  return { bytes, headers } satisfies BytesAnswer
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
