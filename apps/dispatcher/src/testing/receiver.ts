import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedPost {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  /** The parsed body. */
  body: Record<string, unknown> & { id: string; type: string }
  at: number
}

type Answer = number | ((post: ReceivedPost, response: ServerResponse) => void)

export interface Receiver extends AsyncDisposable {
  url: string
  /** In the order of arrival. */
  posts: ReceivedPost[]
  /** A status for all that comes from now on, or whatever else is to be done with it. */
  answer(next: Answer): void
}

/** A customer's endpoint on loopback. */
export async function openReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = []
  let answer: Answer = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const { url: path = '', headers } = request
      const post = { path, headers, raw, body: JSON.parse(raw.toString()), at: Date.now() }
      posts.push(post)
      if (typeof answer === 'number') response.writeHead(answer).end('noted')
      else answer(post, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    posts,
    answer: (next) => {
      answer = next
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
