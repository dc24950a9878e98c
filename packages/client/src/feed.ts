import { errorStatus } from '@svc/contracts/error-rows'
import type { FeedEvent } from '@svc/contracts/feed'
import { type EventSourceMessage, createParser } from 'eventsource-parser'
import { RefusedError, readRefusal } from './errors.ts'
import { type RetryOptions, sleep, waitMs } from './retry.ts'
import { type HttpAnswer, isPassing, readAnswer, readJson } from './send-with-retries.ts'
import type { Surroundings } from './surroundings.ts'

export interface FeedRequest {
  /** A mission's feed; the whole workspace's when left out. */
  missionId?: string
  cursor?: string
  signal?: AbortSignal
}

export interface FeedConnection {
  surroundings: Surroundings
  baseUrl: string
  headers: Record<string, string>
  retry: RetryOptions
}

/** Three comment lines missed: the connection is dead. */
const silenceMs = 45_000

/** Changes as they happen, over as many connections as it takes; ends when the signal aborts, throws a refusal. */
export async function* readFeed(
  connection: FeedConnection,
  request: FeedRequest,
): AsyncGenerator<FeedEvent> {
  let { cursor } = request
  let failures = 0
  while (!request.signal?.aborted) {
    try {
      for await (const event of readOnce(connection, request, cursor)) {
        // the head of a stream shows only that somebody took the call
        if (event.event !== 'start') failures = 0
        cursor = event.id || cursor
        yield event
      }
    } catch (error) {
      if (request.signal?.aborted) return
      if (error instanceof RefusedError && !isPassing(error.status)) throw error
    }
    failures = Math.min(failures + 1, 10)
    await sleep(waitMs(failures, connection.retry, null), request.signal).catch(() => undefined)
  }
}

async function* readOnce(
  { baseUrl, headers, surroundings }: FeedConnection,
  { missionId, signal }: FeedRequest,
  cursor: string | undefined,
): AsyncGenerator<FeedEvent> {
  const silence = new AbortController()
  const path = missionId
    ? surroundings.feedPaths.mission.replace(':id', encodeURIComponent(missionId))
    : surroundings.feedPaths.workspace
  const wanted = {
    method: 'GET',
    path,
    headers: {
      ...headers,
      accept: 'text/event-stream',
      ...(cursor !== undefined && { 'last-event-id': cursor }),
    },
    body: undefined,
  }
  const ending = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  const response = await surroundings.sendOnce(baseUrl, wanted, ending)
  if (response.status !== 200) throw refusalOf(await readAnswer(response), surroundings)
  yield* readEvents(response.body, silence, surroundings)
}

async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  silence: AbortController,
  surroundings: Surroundings,
): AsyncGenerator<FeedEvent> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  const giveUp = () => silence.abort(new Error('the feed fell silent'))
  let timer = setTimeout(giveUp, silenceMs)
  try {
    for await (const bytes of body) {
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceMs)
      parser.feed(decoder.decode(bytes, { stream: true }))
      for (const message of messages.splice(0)) {
        const event = toFeedEvent(message, surroundings)
        if (event) yield event
      }
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** Nothing for an event of a later version. */
function toFeedEvent(
  { id = '', event, data }: EventSourceMessage,
  surroundings: Surroundings,
): FeedEvent | undefined {
  const parsed: unknown = JSON.parse(data)
  if (event === 'error') {
    const refusal = readRefusal(parsed, 500, surroundings)
    throw refusal
      ? new RefusedError(errorStatus[refusal.code], refusal)
      : new Error('the feed ended with an error')
  }
  if (event === undefined || !surroundings.feedEvents.includes(event)) return undefined
  // The service's own events have these shapes.
  return { event, id, data: parsed } as FeedEvent
}

function refusalOf(answer: HttpAnswer, surroundings: Surroundings): Error {
  const refusal = readRefusal(readJson(answer), answer.status, surroundings)
  return refusal
    ? new RefusedError(answer.status, refusal)
    : new Error(`the feed answered ${answer.status}`)
}
