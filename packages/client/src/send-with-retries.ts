import { errorStatus } from '@svc/contracts/error-rows'
import { type Refusal, RefusedError, UnreachableError, readRefusal } from './errors.ts'
import type { HttpRequest, Places } from './request.ts'
import { type RetryOptions, goesOn, sleep, waitMs } from './retry.ts'
import type { BegunAnswer, Surroundings } from './surroundings.ts'

export interface SendOptions {
  surroundings: Surroundings
  baseUrl: string
  retry: RetryOptions
  /** What the answer is by its contract. */
  kind: Places['answer']
  signal?: AbortSignal | undefined
  /** Hears every answer, a refusal too. */
  onAnswer?: (answer: HttpAnswer) => void
}

/** A status, its headers and the body read to its end. */
export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
}

/**
 * Sends until there is an answer that another attempt would not change; a refusal is thrown. Every call may be repeated:
 * it reads, carries an Idempotency-Key, or has an identity of its own.
 */
export async function sendWithRetries(
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpAnswer> {
  let isAfterSilence = false
  for (let failures = 1; ; failures += 1) {
    const attempt = await tryOnce(request, options)
    if ('answer' in attempt) return checked(attempt, isAfterSilence)
    isAfterSilence ||= attempt.mayBeDone
    if (!goesOn(failures, options.retry, attempt.retryAfter)) throw attempt.error
    await sleep(waitMs(failures, options.retry, attempt.retryAfter), options.signal)
  }
}

/** A long answer's status is sent before its outcome is known: a refusal in it has that of its code. */
interface Judged {
  answer: HttpAnswer
  status: number
  refusal: Refusal | undefined
}

type Attempt =
  | Judged
  /** `mayBeDone`: nobody knows whether it was carried out. */
  | { error: Error; retryAfter: string | null; mayBeDone: boolean }

async function tryOnce(request: HttpRequest, options: SendOptions): Promise<Attempt> {
  const { baseUrl, signal } = options
  try {
    const answer = await readAnswer(await options.surroundings.sendOnce(baseUrl, request, signal))
    options.onAnswer?.(answer)
    const judged = judge(answer, options)
    if (!isPassing(judged.status)) return judged
    return {
      error: busy(judged, options),
      retryAfter: answer.headers['retry-after'] ?? null,
      mayBeDone: judged.status !== 429,
    }
  } catch (cause) {
    signal?.throwIfAborted()
    const message = `Cannot reach ${baseUrl}: is the service running there?`
    return { error: new UnreachableError(message, { cause }), retryAfter: null, mayBeDone: true }
  }
}

/** To the end of its body, which throws when the connection breaks before. */
export async function readAnswer({ status, headers, body }: BegunAnswer): Promise<HttpAnswer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return { status, headers, bytes: joined(parts) }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** What another attempt may change: too many calls, and a service or proxy that is not up. */
export function isPassing(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

/** Throws where the answer broke off: a proxy may end it as if it were whole when the service behind it dies. */
function judge(answer: HttpAnswer, { kind, surroundings }: SendOptions): Judged {
  const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false
  const read = isJson ? readJson(answer) : undefined
  const brokeOff = isJson && kind === 'json' && answer.status < 300 && read === undefined
  if (brokeOff) throw new Error('the answer broke off')
  const refusal = isJson ? readRefusal(read, answer.status, surroundings) : undefined
  const isBegun = refusal !== undefined && answer.status < 300
  return { answer, refusal, status: isBegun ? errorStatus[refusal.code] : answer.status }
}

function busy({ refusal, status }: Judged, { baseUrl }: SendOptions): Error {
  const cause = refusal && new RefusedError(status, refusal)
  const why = refusal?.message ?? `It answered ${status}.`
  return new UnreachableError(`${baseUrl} is not available: ${why}`, { cause })
}

function checked({ answer, status, refusal }: Judged, isAfterSilence: boolean): HttpAnswer {
  if (refusal) throw new RefusedError(status, refusal, { isAfterSilence })
  if (status >= 200 && status < 300) return answer
  throw strangeAnswer(answer)
}

/** What a proxy that knows no such host answers, or a login page of a network, may have any status. */
export function strangeAnswer({ status }: HttpAnswer): UnreachableError {
  return new UnreachableError(
    `The address answered ${status} in a way the service does not: check its base URL.`,
    { mayPass: false },
  )
}

export function readJson(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes))
  } catch {
    return undefined
  }
}
