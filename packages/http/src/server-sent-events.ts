export interface ServerSentEvent {
  id?: string
  event: string
  data: unknown
}

export interface EventStreamOptions {
  /** Says what a failure looks like as an `error` event; the stream ends with it. */
  describeError: (error: unknown) => unknown
  commentEveryMs?: number
  /** How long the first event is awaited, so that a refusal still gets its status. */
  patienceMs?: number
  /** Called once when the client has gone or the events have ended. */
  onEnd?: () => void
}

const encoder = new TextEncoder()

/** Streams events; a comment line every 15 s keeps the connection from looking dead. */
export async function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  { describeError, commentEveryMs = 15_000, patienceMs = 100, onEnd }: EventStreamOptions,
): Promise<Response> {
  const iterator = events[Symbol.asyncIterator]()
  const first = iterator.next()
  try {
    await settledWithin(first, patienceMs)
  } catch (error) {
    onEnd?.()
    throw error
  }
  const body = toStream(iterator, first, {
    describeError,
    commentEveryMs,
    onEnd: onEnd ?? (() => {}),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

/** Rejects when the promise does so in time; else says nothing about it. */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function toStream(
  iterator: AsyncIterator<ServerSentEvent>,
  first: Promise<IteratorResult<ServerSentEvent>>,
  options: Required<Pick<EventStreamOptions, 'describeError' | 'commentEveryMs' | 'onEnd'>>,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let next: Promise<IteratorResult<ServerSentEvent>> | undefined = first
  let cancelled = false

  function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearInterval(timer)
    options.onEnd()
    if (!cancelled) controller.close()
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = () => controller.enqueue(encoder.encode(':\n\n'))
      comment()
      timer = setInterval(comment, options.commentEveryMs)
    },
    async pull(controller) {
      try {
        const { done, value } = await (next ?? iterator.next())
        next = undefined
        if (cancelled) return
        if (done) end(controller)
        else controller.enqueue(encodeEvent(value))
      } catch (error) {
        if (cancelled) return
        controller.enqueue(encodeEvent({ event: 'error', data: options.describeError(error) }))
        end(controller)
      }
    },
    async cancel() {
      cancelled = true
      clearInterval(timer)
      options.onEnd()
      await iterator.return?.()
    },
  })
}

function encodeEvent({ id, event, data }: ServerSentEvent): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return encoder.encode(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}
