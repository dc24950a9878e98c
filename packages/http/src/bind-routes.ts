import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { BytesAnswer } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { versionHeader } from '@svc/contracts/version'
import type { Log } from '@svc/process/log'
import type { HttpApp } from './create-app.ts'
import { failureOf } from './error-response.ts'
import { type IdempotencyKey, readIdempotencyKey } from './idempotency-key.ts'
import { jsonAnswer } from './json-answer.ts'
import { type Input, parseInput } from './parse-input.ts'
import type { Caller, RateLimiter } from './rate-limit.ts'
import { type Recalled, doneAs, refusedAs } from './recalled.ts'
import { refuseTooOld } from './refuse-too-old.ts'
import {
  type HttpContext,
  type Presented,
  readPresented,
  requestSignal,
} from './request-context.ts'
import { type SlowTimes, slowAnswer, slowTimes } from './slow-answer.ts'

export interface Call<Known = unknown> {
  /** Aborts when the caller has gone, and for slow endpoints when the server stops. */
  signal: AbortSignal
  requestId: string
  /** The network that the call came from. */
  from: string
  idempotency?: IdempotencyKey
  /** Who calls is yet to be read by what the call does; if that does not, it is asked behind it. */
  caller?: Known
}

/** `Actor` is whoever `authenticate` says is calling. */
export interface RouteBinding<Actor, Known extends Recalled<Actor> = Recalled<Actor>> {
  contracts: Readonly<Record<string, EndpointContract>>
  /** Who may call an endpoint of this kind. Throws ServiceError('unauthenticated'). */
  authenticate: (presented: Presented, permission: EndpointContract['permission']) => Promise<Actor>
  /** For a call of which nothing counts before it has been asked whether they are still that. */
  recall?: (presented: Presented, name: string) => Known | undefined
  /** Who calls what is public, by the network that they come from. */
  admit?: (from: string) => Actor
  /** What calls are counted by. */
  callerOf: (actor: Actor) => Caller
  limiter: RateLimiter
  /** `input` has been parsed by the contract of `name`. */
  call: (name: string, actor: Actor, input: Input, call: Call<Known>) => Promise<unknown>
  log: Log
  slow?: SlowTimes
  /** The oldest version that a caller may say it has; every one where it is left out. */
  oldest?: string
}

/** Mounts every endpoint of the table: authenticate, parse, limit, call, serialise. */
export function bindRoutes<Actor, Known extends Recalled<Actor> = Recalled<Actor>>(
  app: HttpApp,
  binding: RouteBinding<Actor, Known>,
): void {
  for (const [name, contract] of Object.entries(binding.contracts)) {
    app.on(contract.method, contract.path, (context) => answer(context, name, contract, binding))
  }
}

async function answer<Actor, Known extends Recalled<Actor>>(
  context: HttpContext,
  name: string,
  contract: EndpointContract,
  binding: RouteBinding<Actor, Known>,
): Promise<Response> {
  if (binding.oldest !== undefined) {
    refuseTooOld(context.req.header(versionHeader), contract, binding.oldest)
  }
  const isRead = contract.method === 'GET'
  const readCall = async (who: Actor) => {
    const input = await parseWithinLimits(context, contract, binding, binding.callerOf(who))
    const header = context.req.header('idempotency-key')
    return { input, idempotency: isRead ? undefined : readIdempotencyKey(name, header, input) }
  }
  const known = hasSmallBody(context) ? binding.recall?.(readPresented(context), name) : undefined
  const whoIsIt = () => whoCalls(context, contract, binding)
  const actor = known ? known.actor : await whoIsIt()
  const { input, idempotency } = await (known
    ? refusedAs(known, readCall(actor), whoIsIt)
    : readCall(actor))
  const requestId = context.get('requestId')
  const signal = requestSignal(context, contract.slow)
  const from = binding.limiter.networkOf(context)
  const call = { signal, requestId, from, ...(idempotency && { idempotency }) }
  const as = (who: Actor, caller?: { caller: Known }) =>
    binding.call(name, who, input, { ...call, ...caller })
  const pending = (known ? doneAs(known, as, whoIsIt) : as(actor))
    .catch((error: unknown) => {
      throw signal.aborted && !isServiceError(error) ? endedEarly(error) : error
    })
    .then((result) => serialise(context, contract, result))
  if (!contract.slow) return pending
  const failure = (error: unknown) => failureOf(error, requestId, binding.log)
  return slowAnswer(pending, failure, binding.slow ?? slowTimes)
}

/** Bytes. What is larger is not read for anybody before it is known who sends it. */
const smallBody = 64 * 1024

function hasSmallBody(context: HttpContext): boolean {
  const length = context.req.header('content-length')
  return length !== undefined && Number(length) <= smallBody
}

/** A credential that comes with a public call is not looked at, and so cannot be tried there. */
async function whoCalls<Actor>(
  context: HttpContext,
  { permission }: EndpointContract,
  { limiter, authenticate, admit }: Pick<RouteBinding<Actor>, 'limiter' | 'authenticate' | 'admit'>,
): Promise<Actor> {
  if (permission === 'public' && admit) return admit(limiter.networkOf(context))
  return limiter.authenticate(context, (presented) => authenticate(presented, permission))
}

/** Whoever waited has gone or the server stops: nothing unexpected. */
function endedEarly(cause: unknown): ServiceError {
  const message = 'This call was ended before its answer: send it again.'
  return new ServiceError('unavailable', message, undefined, { cause })
}

async function parseWithinLimits(
  context: HttpContext,
  contract: EndpointContract,
  { limiter }: { limiter: RateLimiter },
  caller: Caller,
): Promise<Input> {
  const isRead = contract.method === 'GET'
  const input = await parseInput(contract, context).catch((refusal: unknown) => {
    limiter.take({ ...caller, isRead })
    throw refusal
  })
  limiter.take({ ...caller, isRead, counts: contract.counts, input })
  return input
}

function serialise(
  context: HttpContext,
  contract: EndpointContract,
  result: unknown,
): Response | Promise<Response> {
  if (contract.answer === 'none') return new Response(null, { status: contract.status })
  if (contract.answer === 'bytes') return bytesResponse(result, contract.status)
  if (contract.method === 'GET' && !contract.slow)
    return jsonAnswer(context, result, contract.status)
  const reused = contract.reusedStatus !== undefined && isReused(result)
  return Response.json(result, { status: reused ? contract.reusedStatus : contract.status })
}

function isReused(result: unknown): boolean {
  return (
    typeof result === 'object' && result !== null && 'reused' in result && result.reused === true
  )
}

function bytesResponse(result: unknown, status: number): Response {
  // The handlers' types say so of every endpoint that answers bytes.
  const { bytes, headers } = result as BytesAnswer
  return new Response(Uint8Array.from(bytes), {
    status,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
}
