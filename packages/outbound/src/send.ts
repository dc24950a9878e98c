import type { Dispatcher } from 'undici'
import {
  type AttemptMarks,
  type Phase,
  type Timings,
  attemptMarks,
  createAttemptMarks,
} from './attempt-marks.ts'
import { type CapturedAnswer, createCapture } from './captured-answer.ts'
import { parseEndpointUrl } from './endpoint-url.ts'
import { type Failure, codeOf, failureOf } from './failure-class.ts'
import { agentOf } from './guarded-agent.ts'
import type { Policy } from './policy.ts'

export interface SendInput {
  url: string
  /** Names of the connection itself (host, content-length, …) are refused. */
  headers: Readonly<Record<string, string>>
  /** Without one it is a GET. */
  body?: string | Uint8Array
  /** Over everything: DNS, connection, TLS, request, answer. */
  timeoutMs?: number
  /** How much of the answer's body is kept; nothing beyond it is read. */
  answerBytes?: number
  /** Ends the attempt before its time, as its time would. */
  signal?: AbortSignal
  policy: Policy
}

export interface SendResult extends CapturedAnswer {
  /** Success is a status of 200 to 299 in time, whatever the answer's body then does. */
  outcome: 'success' | `http_${number}` | Failure
  /** Where a failure happened; absent once a status answered. */
  phase?: Phase
  /** The error's code, for the endpoint's owner: CERT_HAS_EXPIRED, ENOTFOUND, … */
  code?: string
  status?: number
  timings: Timings
  /** Whom the request went to; absent when it was not sent. */
  address?: string
}

/**
 * One POST, or GET: no redirect, no retry, nothing inflated. Whatever the receiver does is a result; it
 * throws only for a fault on our side (a header that cannot be sent, no descriptors left).
 */
export async function send(input: SendInput): Promise<SendResult> {
  const endpoint = parseEndpointUrl(input.url, input.policy)
  if (!endpoint.ok) {
    return { outcome: 'blocked_address', ...createCapture().answer(), timings: { total: 0 } }
  }
  const url = new URL(endpoint.url)
  const marks = createAttemptMarks(url.protocol === 'https:')
  const end = await attemptMarks.run(marks, () => exchange(url, input, marks))
  const address = marks.address()
  return {
    ...outcomeOf(end, marks.phase()),
    ...end.answer,
    timings: marks.timings(),
    ...(address !== undefined && { address }),
  }
}

interface Ending {
  status?: number
  /** The last 1xx. */
  interim?: number
  error?: Error
  answer: CapturedAnswer
}

class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

function exchange(url: URL, input: SendInput, marks: AttemptMarks): Promise<Ending> {
  const timeoutMs = input.timeoutMs ?? 10_000
  const request = requestOf(url, input, timeoutMs)
  const capture = createCapture(input.answerBytes)
  const heads: Pick<Ending, 'status' | 'interim'> = {}
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let controller: Dispatcher.DispatchController | undefined
  let isOver = false
  const finish = (error?: Error) => {
    if (isOver) return
    isOver = true
    clearTimeout(deadline)
    input.signal?.removeEventListener('abort', stop)
    if (error) capture.cut()
    resolve({ ...heads, ...(error && { error }), answer: capture.answer() })
    // Not before the result: aborting reports an error of its own.
    if (error) controller?.abort(error)
  }
  const stop = () => finish(new DeadlineError('The time is up.'))
  const deadline = setTimeout(stop, timeoutMs)
  input.signal?.addEventListener('abort', stop)
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      // The deadline passed while the connection was made, which cannot be called off.
      if (isOver) started.abort(new DeadlineError('The time is up.'))
    },
    onResponseStart(started, status) {
      if (status < 200) {
        heads.interim = status
        return
      }
      heads.status = status
      marks.answered()
      capture.addHeaders(Array.isArray(started.rawHeaders) ? started.rawHeaders : [])
    },
    onResponseData(_, chunk) {
      if (!capture.addBody(chunk)) finish(new Error('Enough of the answer is kept.'))
    },
    onResponseEnd: () => finish(),
    onResponseError: (_, error) => finish(error),
  }
  if (input.signal?.aborted) stop()
  else agentOf(input.policy).dispatch(request, handler)
  return promise
}

function requestOf(
  url: URL,
  { headers, body }: SendInput,
  timeoutMs: number,
): Dispatcher.DispatchOptions {
  const taken = Object.keys(headers).find((name) => connectionHeaders.has(name.toLowerCase()))
  if (taken) throw new TypeError(`The header ${taken} belongs to the connection; leave it out.`)
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body !== undefined && { body }),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  }
}

const connectionHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function outcomeOf(
  { status, interim, error }: Ending,
  phase: Phase,
): Pick<SendResult, 'outcome' | 'phase' | 'code' | 'status'> {
  if (status !== undefined) {
    return { outcome: status < 300 ? 'success' : `http_${status}`, status }
  }
  if (!error) return { outcome: 'protocol', phase }
  if (error instanceof DeadlineError) return { outcome: 'timeout', phase }
  const last = interimOf(error) ?? interim
  if (last !== undefined) return { outcome: `http_${last}`, status: last }
  const failure = failureOf(error, phase)
  if (!failure) throw error
  const code = failure === 'blocked_address' ? undefined : codeOf(error)
  return { outcome: failure, phase, ...(code !== undefined && { code }) }
}

/** The unexpected statuses 101 and 100, which undici reports by the message of its error alone. */
function interimOf({ message }: Error): number | undefined {
  if (message === 'bad upgrade') return 101
  return message === 'bad response' ? 100 : undefined
}
