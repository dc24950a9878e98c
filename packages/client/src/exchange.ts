import type { BytesAnswer } from '@svc/contracts/rest'
import type { FeedEvent } from '@svc/contracts/feed'
import { type FeedRequest, readFeed } from './feed.ts'
import { newKey } from './new-key.ts'
import { type Places, fillIn } from './request.ts'
import { type RetryOptions, defaultRetry } from './retry.ts'
import { type HttpAnswer, readJson, sendWithRetries, strangeAnswer } from './send-with-retries.ts'
import type { Surroundings } from './surroundings.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** Names this call for good, for a caller that will repeat it after a crash; else one is made per call. */
  idempotencyKey?: string
  retry?: Partial<RetryOptions>
}

/** What all calls of one client have in common. */
export interface Caller {
  surroundings: Surroundings
  baseUrl: string
  headers: Record<string, string>
  signal?: AbortSignal | undefined
  retry?: Partial<RetryOptions> | undefined
  /** Hears every answer, a refusal too. */
  onAnswer?: (answer: HttpAnswer) => void
}

/** One call, by what its contract says of it. */
export async function exchange(
  caller: Caller,
  places: Places,
  fields: Record<string, unknown>,
  options: CallOptions,
): Promise<unknown> {
  const request = fillIn(places, fields)
  const key = options.idempotencyKey ?? (places.isKeyed ? newKey() : undefined)
  const headers = { ...caller.headers, ...request.headers, ...(key && { 'idempotency-key': key }) }
  const answer = await sendWithRetries(
    { ...request, headers },
    {
      ...caller,
      kind: places.answer,
      retry: { ...defaultRetry, ...caller.retry, ...options.retry },
      signal: anyOf(caller.signal, options.signal),
    },
  )
  return readAs(places.answer, answer)
}

export function follow(caller: Caller, request: FeedRequest = {}): AsyncGenerator<FeedEvent> {
  const signal = anyOf(caller.signal, request.signal)
  const retry = { ...defaultRetry, ...caller.retry }
  return readFeed({ ...caller, retry }, { ...request, ...(signal && { signal }) })
}

function readAs(kind: Places['answer'], answer: HttpAnswer): unknown {
  if (kind === 'none') return undefined
  if (kind === 'json') {
    const read = readJson(answer)
    if (read === undefined) throw strangeAnswer(answer)
    return read
  }
  const { bytes, headers } = answer
  return { bytes, headers } satisfies BytesAnswer
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
