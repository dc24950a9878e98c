export interface ServerSentEvent {
  id?: string
  event: string
  data: unknown
}

export interface EventStreamOptions {
  /** Says what a failure looks like as an `error` event; the stream ends with it. */
  describeError: (error: unknown) => unknown
  commentEveryMs?: number
  /** Called once when the client has gone or the events have ended. */
  onEnd?: () => void
}

const encoder = new TextEncoder()

/**
 * Streams events; a comment line at once and every 15 s keeps the connection from looking dead. Nothing is asked for
 * before the body is read: who wants the head alone never does.
 */
export function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  { describeError, commentEveryMs = 15_000, onEnd = () => {} }: EventStreamOptions,
): Response {
  const body = toStream(events[Symbol.asyncIterator](), { describeError, commentEveryMs, onEnd })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

function toStream(
  iterator: AsyncIterator<ServerSentEvent>,
  options: Required<EventStreamOptions>,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let cancelled = false

  function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearInterval(timer)
    options.onEnd()
    if (!cancelled) controller.close()
  }

  function begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const comment = () => controller.enqueue(encoder.encode(':\n\n'))
    timer = setInterval(comment, options.commentEveryMs)
    comment()
  }

  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      if (!timer) return begin(controller)
      try {
        const { done, value } = await iterator.next()
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
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function encodeEvent({ id, event, data }: ServerSentEvent): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return encoder.encode(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}
