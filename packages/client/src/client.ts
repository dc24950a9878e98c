import {
  type ProtocolOperation,
  type ProtocolOutput,
  type ProtocolRequest,
  protocolEndpoint,
} from '@svc/contracts/protocol'
import {
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
import type { FeedEvent } from '@svc/contracts/feed'
import { type CallOptions, type Caller, exchange, follow } from './exchange.ts'
import type { FeedRequest } from './feed.ts'
import { inNode } from './in-node.ts'
import { placesOf } from './request.ts'
import type { RetryOptions } from './retry.ts'
import type { HttpAnswer } from './send-with-retries.ts'

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

export type { CallOptions }

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
  /**
   * Reconnects by itself until the signal aborts. Each connection begins with `start`: whoever reads after the first of
   * them has missed nothing.
   */
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

  const { signal, retry } = client
  const caller: Caller = { surroundings: inNode, baseUrl, headers, signal, retry, onAnswer }
  const ask = async (
    contract: EndpointContract,
    fields: Record<string, unknown>,
    options: CallOptions,
  ) => exchange(caller, placesOf(contract), fields, options)

  return {
    // The contract types each answer; the service is trusted to keep it.
    call: (name, request, options = {}) =>
      ask(restContracts[name], request, options) as Promise<RouteOutput<typeof name>>,
    protocol: (operation, input, options = {}) =>
      ask(protocolEndpoint(operation), { ...input }, options) as Promise<
        ProtocolOutput<typeof operation>
      >,
    tool: (name, input, options = {}) =>
      ask(toolEndpoint(name), { ...input }, options) as Promise<ToolOutput<typeof name>>,
    feed: (request) => follow(caller, request),
  }
}
