import { isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { Actor } from '@svc/domain/common/actor'
import type { HttpApp } from '@svc/http/create-app'
import { readBytes } from '@svc/http/read-body'
import { type HttpContext, requestSignal } from '@svc/http/request-context'
import { callerOf } from '@svc/service/limits'
import { z } from 'zod'
import { admit } from './challenge.ts'
import { allowOrigin, preflight } from '@svc/http/cors'
import { type HandlerParts, type McpCall, type McpHandlers, createHandlers } from './handlers.ts'
import { serveLegacy } from './legacy.ts'
import { protectedResource } from './metadata.ts'
import { type ModernLeg, createModernLeg, isLegacyBody } from './modern.ts'
import { rpcCode, rpcFailure } from './rpc-error.ts'
import { describeServer } from './server-info.ts'
import { type Site, isAllowedOrigin, siteOf } from './site.ts'
import { type ReadCall, inWords, readToolCall } from './tool-call.ts'
import { tooMany } from './too-many.ts'

interface Endpoint extends HandlerParts {
  handlers: McpHandlers
  modern: ModernLeg
}

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'] as const
const mostBatched = 20
const ToolCallMessage = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
})

export function bindMcp(app: HttpApp, parts: HandlerParts): void {
  const handlers = createHandlers(parts)
  const endpoint: Endpoint = { ...parts, handlers, modern: createModernLeg(handlers) }
  app.all('/mcp', (context) => answer(context, endpoint))
  for (const path of ['', '/mcp']) {
    const document = `/.well-known/oauth-protected-resource${path}`
    app.get(document, () => answerMetadata(parts))
    app.options(document, (context) =>
      allowOrigin(preflight(context.req.raw, ['GET', 'HEAD']), '*'),
    )
  }
}

function answerMetadata({ baseUrl }: HandlerParts): Response {
  return allowOrigin(protectedResource(siteOf(baseUrl())), '*')
}

/** Origin and preflight first, then the token; only a caller who may be here is read any further. */
async function answer(context: HttpContext, endpoint: Endpoint): Promise<Response> {
  const site = siteOf(endpoint.baseUrl())
  const origin = context.req.header('origin')
  if (!isAllowedOrigin(site, origin)) {
    return rpcFailure(403, rpcCode.invalidRequest, 'Requests of this origin are not taken here.')
  }
  const request = context.req.raw
  const response =
    request.method === 'OPTIONS'
      ? preflight(request, methods)
      : await answerCaller(context, endpoint, site)
  return allowOrigin(uncached(response), origin)
}

function uncached(response: Response): Response {
  const { headers } = response
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
  return response
}

async function answerCaller(
  context: HttpContext,
  endpoint: Endpoint,
  site: Site,
): Promise<Response> {
  const request = context.req.raw
  const actor = await admit(context, endpoint, site)
  if (actor instanceof Response) return actor
  if (request.method === 'POST') {
    const requestId = context.get('requestId')
    const from = endpoint.limiter.networkOf(context)
    return answerPost(context, endpoint, { actor, requestId, from, signal: request.signal })
  }
  const limited = limitRequest(endpoint, actor)
  if (limited) return limited
  return ['GET', 'HEAD'].includes(request.method) ? answerGet(request, site) : notAllowed()
}

/** Clients ask for a stream this way; there is none, and 405 is the word for it. */
function answerGet(request: Request, site: Site): Response {
  const accept = request.headers.get('accept') ?? '*/*'
  const types = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  if (types.every((type) => type === 'text/event-stream')) return notAllowed()
  return Response.json(describeServer(site), { headers: { vary: 'Accept, Authorization' } })
}

function notAllowed(): Response {
  const message = 'There is no stream and no session here: use POST.'
  return rpcFailure(405, rpcCode.transport, message, { allow: methods.join(', ') })
}

async function answerPost(
  context: HttpContext,
  endpoint: Endpoint,
  call: McpCall,
): Promise<Response> {
  const request = context.req.raw
  const read = await readMessage(request)
  const limited = isOfToolCalls(read) ? undefined : limitRequest(endpoint, call.actor)
  if (limited) return limited
  if (read instanceof Response) return read
  const { message, refused } = read
  if (Array.isArray(message) && !mayBatch(request, message)) {
    const text = `Send one message at a time; revision 2025-03-26 takes 1 to ${mostBatched}.`
    // none of its tool calls runs, by which it would be counted
    const counted = isOfToolCalls(read) ? limitRequest(endpoint, call.actor) : undefined
    return counted ?? rpcFailure(400, rpcCode.invalidRequest, text)
  }
  const answer = await serveMessage(context, endpoint, message, {
    ...call,
    ...(refused && { refused }),
  })
  return methodOf(message) === 'tools/call' && !isOfToolCalls(read) ? inWords(answer) : answer
}

async function serveMessage(
  context: HttpContext,
  endpoint: Endpoint,
  message: unknown,
  call: McpCall,
): Promise<Response> {
  const request = context.req.raw
  if (await isLegacyBody(request, message)) {
    return serveLegacy(request, message, endpoint.handlers, call)
  }
  // only a subscription waits for the end of the server; a call goes on to its own
  const signal = requestSignal(context, methodOf(message) === 'subscriptions/listen')
  const bodyless = new Request(request.url, { method: 'POST', headers: request.headers, signal })
  return endpoint.modern.serve(bodyless, message, call)
}

type Read = ReadCall | Response

/** The status for a body that cannot be read, by the kind of the error; any other kind is a bad request. */
const statusOf: ReadonlyMap<string, number> = new Map([
  ['too_large', 413],
  ['unsupported_media_type', 415],
])

async function readMessage(request: Request): Promise<Read> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return rpcFailure(415, rpcCode.transport, 'Send JSON as application/json.')
  }
  try {
    const bytes = await readBytes(request, limits.jsonBodyBytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const message: unknown = JSON.parse(text)
    if (!Array.isArray(message)) return readToolCall(message)
    return { message: message.map(readBatched) }
  } catch (error) {
    if (!isServiceError(error)) return rpcFailure(400, rpcCode.parse, 'The body is not JSON.')
    const status = statusOf.get(error.code) ?? 400
    const code = status === 400 ? rpcCode.invalidRequest : rpcCode.transport
    return rpcFailure(status, code, error.message)
  }
}

/** Reads one message of a batch. A batch with a message that cannot be read is refused as a whole. */
function readBatched(one: unknown): unknown {
  const { message, refused } = readToolCall(one)
  if (refused) throw refused
  return message
}

/** Counts a whole request as one read; a tool call is counted for itself and its result names the limit. */
function limitRequest({ limiter }: Endpoint, actor: Actor): Response | undefined {
  try {
    limiter.take({ ...callerOf(actor), isRead: true })
    return undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    return tooMany(error)
  }
}

/** Whether it is nothing but tool calls that come as far as the tools. */
function isOfToolCalls(read: Read): boolean {
  if (read instanceof Response) return false
  const { message } = read
  const messages: unknown[] = Array.isArray(message) ? message : [message]
  return messages.length > 0 && messages.every((one) => ToolCallMessage.safeParse(one).success)
}

/** One revision has batches: 2025-03-26, which is also the one of requests that name none. */
function mayBatch(request: Request, messages: readonly unknown[]): boolean {
  const revision = request.headers.get('mcp-protocol-version') ?? '2025-03-26'
  return revision === '2025-03-26' && messages.length >= 1 && messages.length <= mostBatched
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message
    ? message.method
    : undefined
}
