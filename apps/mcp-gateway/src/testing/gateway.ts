import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RateLimiter } from '@svc/http/rate-limit'
import { serve } from '@svc/http/serve'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { highLimits } from '@svc/testing/high-limits'
import { test as base } from '@svc/domain/testing/world'
import { createGateway } from '../app.ts'
import { type McpClient, mcpClientOf } from './mcp-client.ts'

export interface Gateway {
  url: string
  /** A request to the endpoint with nothing added but what is given. */
  send(init?: RequestInit & { path?: string }): Promise<Response>
  post(token: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}

interface ConnectedClient extends McpClient {
  revision(): string | undefined
}

export const clientKinds = ['legacy', 'modern auto', 'modern pinned', 'modern by default'] as const
export type ClientKind = (typeof clientKinds)[number]

export const quiet = createLog({ name: 'test', level: 'silent' })

/** Limits that no test reaches, but for those that it sets. */
export function limiterWith(set: NodeJS.ProcessEnv = {}, nowMs?: () => number): RateLimiter {
  return limiterOf(LimitsEnvironment.parse({ ...highLimits, ...set }), nowMs && { nowMs })
}

/** A gateway on a free port, over the world's database; closed after the file's tests. */
export const test = base.extend('gateway', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  let url = ''
  const app = createGateway({
    domain: world.domain,
    log: quiet,
    baseUrl: () => url,
    isEnabled: true,
    limiter: limiterWith(),
  })
  const serving = await serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log: quiet })
  onCleanup(() => serving[Symbol.asyncDispose]())
  url = serving.url
  return gatewayAt(url)
})

export function gatewayAt(url: string): Gateway {
  const send: Gateway['send'] = ({ path = '/mcp', ...init } = {}) => fetch(url + path, init)
  return {
    url,
    send,
    post: (token, body, headers) =>
      send({
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      }),
  }
}

export async function connect(
  kind: ClientKind,
  url: string,
  token: string,
): Promise<ConnectedClient> {
  return kind === 'legacy' ? connectLegacy(url, token) : connectModern(kind, url, token)
}

async function connectLegacy(url: string, token: string): Promise<ConnectedClient> {
  const client = new LegacyClient({ name: 'test', version: '1' })
  const transport = new LegacyTransport(new URL('/mcp', url), withToken(token))
  // its optional callbacks are declared in a way that exactOptionalPropertyTypes cannot match
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { ...mcpClientOf(client), revision: () => transport.protocolVersion }
}

async function connectModern(
  kind: ClientKind,
  url: string,
  token: string,
): Promise<ConnectedClient> {
  const mode = kind === 'modern auto' ? 'auto' : { pin: '2026-07-28' }
  const client = new ModernClient(
    { name: 'test', version: '1' },
    kind === 'modern by default' ? {} : { versionNegotiation: { mode } },
  )
  await client.connect(new ModernTransport(new URL('/mcp', url), withToken(token)))
  return { ...mcpClientOf(client), revision: () => client.getNegotiatedProtocolVersion() }
}

function withToken(token: string) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } }
}
