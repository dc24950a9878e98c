import type { ServerResponse } from 'node:http'
import { type Post, servePosts } from '@svc/testing/receiver'
import { z } from 'zod'

const Value = z.union([
  z.object({ stringValue: z.string() }).transform((it) => it.stringValue),
  z.object({ intValue: z.coerce.number() }).transform((it) => it.intValue),
])
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])))
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: Attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
})
/** What is posted of OTLP in JSON. */
const Posted = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export interface ReceivedSpan extends z.infer<typeof Span> {
  service: unknown
}

/** A receiver of traces. */
export interface SpanReceiver extends AsyncDisposable {
  url: string
  spans: ReceivedSpan[]
  /** All that was posted, as it came. */
  text: () => string
  /** What comes from now on is answered when it is released: it is taken, or refused. */
  hold: () => Held
}

interface Held {
  /** Resolves with the first. */
  arrived: Promise<void>
  release: (status?: 200 | 400) => void
}

export async function receiveSpans(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  let holding: { arrive: () => void; released: Promise<200 | 400> } | undefined
  const take = (post: Post) => {
    const text = post.raw.toString()
    texts.push(text, JSON.stringify(post.headers))
    for (const { resource, scopeSpans } of Posted.parse(JSON.parse(text)).resourceSpans) {
      const service = resource.attributes['service.name']
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, service })
      }
    }
  }
  const answer = async (post: Post, response: ServerResponse) => {
    holding?.arrive()
    const status = (await holding?.released) ?? 200
    // whoever gave up meanwhile takes its spans for lost
    if (response.destroyed) return
    if (status === 200) take(post)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = await servePosts((post, response) => void answer(post, response))
  return {
    url: `${server.url}/v1/traces`,
    spans,
    text: () => texts.join('\n'),
    hold() {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<200 | 400>()
      const own = { arrive: arrived.resolve, released: released.promise }
      holding = own
      return {
        arrived: arrived.promise,
        release(status = 200) {
          if (holding === own) holding = undefined
          released.resolve(status)
        },
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
