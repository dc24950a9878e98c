import { servePosts } from '@svc/testing/receiver'
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
  /** Until it is released it takes posts and answers none. Resolves with the first. */
  hold: () => { arrived: Promise<void>; release: () => void }
}

export async function receiveSpans(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  let held: { arrive: () => void; released: Promise<void> } | undefined
  const server = await servePosts((post, response) => {
    const answer = () => {
      const text = post.raw.toString()
      texts.push(text, JSON.stringify(post.headers))
      for (const { resource, scopeSpans } of Posted.parse(JSON.parse(text)).resourceSpans) {
        const service = resource.attributes['service.name']
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...span, service })
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    held?.arrive()
    // whoever gave up meanwhile has not been answered, and its spans are lost
    if (held) void held.released.then(() => response.destroyed || answer())
    else answer()
  })
  return {
    url: `${server.url}/v1/traces`,
    spans,
    text: () => texts.join('\n'),
    hold() {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held = { arrive: arrived.resolve, released: released.promise }
      return {
        arrived: arrived.promise,
        release() {
          held = undefined
          released.resolve()
        },
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
