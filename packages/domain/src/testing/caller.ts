import { createHash } from 'node:crypto'
import {
  type ToolName,
  type ToolOutput,
  type ToolRequest,
  toolContracts,
} from '@svc/contracts/mcp/tools'
import { type ProtocolOperation, protocolContracts } from '@svc/contracts/protocol'
import type { ProtocolOutput, ProtocolRequest } from '@svc/contracts/protocol'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { authenticate } from '../access/authenticate.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { openFeed } from '../feed/read-feed.ts'
import { protocolHandlers } from '../handlers/protocol.ts'
import { routeHandlers } from '../handlers/routes.ts'
import { callTool } from '../handlers/tools.ts'
import { type UseCase, idempotencyOf } from '../use-case.ts'

export interface CallOptions {
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Whoever holds this token, calling what the API offers, as its clients do: from the token on, every time anew. */
export interface Caller {
  token: string
  actor: () => Promise<Actor>
  call: <N extends RouteName>(
    name: N,
    request: RouteRequest<N>,
    options?: CallOptions,
  ) => Promise<RouteOutput<N>>
  protocol: <N extends ProtocolOperation>(
    name: N,
    request: ProtocolRequest<N> & { device?: string },
    options?: CallOptions,
  ) => Promise<ProtocolOutput<N>>
  tool: <N extends ToolName>(name: N, request: ToolRequest<N>) => Promise<ToolOutput<N>>
  /** Opens a live feed, and leaves it. */
  follow: (request: { id?: string }) => Promise<void>
}

type Handler = (context: UseCase, actor: Actor, input: object) => Promise<unknown>
// each handler gets what its own contract has parsed
const routes = routeHandlers as unknown as Readonly<Record<RouteName, Handler>>
const operations = protocolHandlers as unknown as Readonly<Record<ProtocolOperation, Handler>>

export function callerWith(domain: Domain, token: string): Caller {
  const actor = () => authenticate(domain, token, 'api')
  return {
    token,
    actor,
    async call(name, request, options = {}) {
      const contract: EndpointContract = restContracts[name]
      const input = parse(contract, request)
      const caller = await actor()
      const context = useCaseOf(domain, caller, { ...options, route: name, input })
      const answer = await routes[name](context, caller, input)
      // a handler whose answer breaks its contract fails the test that called it
      if (typeof contract.answer !== 'string') contract.answer.parse(answer)
      return answer as never // checked against this route's contract, the line above
    },
    async protocol(name, { device, ...request }, options = {}) {
      const { input, output } = protocolContracts[name]
      const parsed = { ...input.parse(request), ...(device !== undefined && { device }) }
      const caller = await actor()
      const route = `protocol/${name}`
      const context = useCaseOf(domain, caller, { ...options, route, input: parsed })
      return output.parse(await operations[name](context, caller, parsed)) as never // as above
    },
    async tool(name, request) {
      const { input, output } = toolContracts[name]
      const answer = await callTool({ domain }, await actor(), name, input.parse(request))
      return output.parse(answer) as never // as above
    },
    async follow({ id }) {
      const feed = await openFeed({ domain }, await actor(), { missionId: id })
      await feed.return(undefined)
    },
  }
}

/** Parameters, query, headers and body in one object, as the API makes it of a request. */
function parse(contract: EndpointContract, request: object): Record<string, unknown> {
  const rest = new Map<string, unknown>(Object.entries(request))
  const input: Record<string, unknown> = {}
  for (const part of [contract.params, contract.query, contract.headers]) {
    const given = Object.keys(part?.shape ?? {}).filter((name) => rest.has(name))
    Object.assign(
      input,
      part?.parse(Object.fromEntries(given.map((name) => [name, rest.get(name)]))),
    )
    for (const name of given) rest.delete(name)
  }
  const body = Object.fromEntries(rest)
  return { ...input, ...(typeof contract.body === 'object' ? contract.body.parse(body) : body) }
}

interface Call extends CallOptions {
  route: string
  input: object
}

function useCaseOf(domain: Domain, actor: Actor, call: Call): UseCase {
  const bodyHash = createHash('sha256').update(JSON.stringify(call.input)).digest()
  return {
    domain,
    baseUrl: 'http://localhost:4600',
    ...(call.signal && { signal: call.signal }),
    ...(call.idempotencyKey !== undefined && {
      idempotency: idempotencyOf(actor, { route: call.route, key: call.idempotencyKey, bodyHash }),
    }),
  }
}
