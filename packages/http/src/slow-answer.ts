import type { Failure } from './error-response.ts'

export interface SlowTimes {
  /** How long an answer may take before its headers go out. */
  patienceMs: number
  everyMs: number
}

export const slowTimes: SlowTimes = { patienceMs: 250, everyMs: 10_000 }

/**
 * An answer that may take seconds. One that is quick is returned as it is. For a slow one the headers go out with
 * status 200 and a space now and then keeps proxies and clients patient; a failure after that is the JSON itself.
 */
export async function slowAnswer(
  pending: Promise<Response>,
  failure: (error: unknown) => Failure,
  times: SlowTimes,
): Promise<Response> {
  const late = Symbol('late')
  const { promise: patience, resolve } = Promise.withResolvers<typeof late>()
  const timer = setTimeout(() => resolve(late), times.patienceMs)
  const first = await Promise.race([pending, patience]).finally(() => clearTimeout(timer))
  if (first !== late) return first
  const text = pending.then(
    (response) => response.text(),
    (error: unknown) => JSON.stringify(failure(error).body),
  )
  return new Response(spacesThen(text, times.everyMs), {
    headers: { 'content-type': 'application/json', 'x-accel-buffering': 'no' },
  })
}

function spacesThen(text: Promise<string>, everyMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  let cancelled = false
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const space = () => controller.enqueue(encoder.encode(' '))
      space()
      timer = setInterval(space, everyMs)
      void text.then((json) => {
        clearInterval(timer)
        if (cancelled) return
        controller.enqueue(encoder.encode(json))
        controller.close()
      })
    },
    cancel() {
      cancelled = true
      clearInterval(timer)
    },
  })
}
