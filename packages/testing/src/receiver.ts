import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Post {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
}

export interface PostServer extends AsyncDisposable {
  port: number
}

/** A customer's endpoint on loopback: `take` is given each request with the whole of its body. */
export async function servePosts(
  take: (post: Post, response: ServerResponse) => void,
): Promise<PostServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      take({ path, headers, raw: Buffer.concat(chunks) }, response)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // A server that listens on a port has an address with one.
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface ReceivedPost extends Post {
  /** The parsed body. */
  body: Record<string, unknown> & { id: string; type: string }
}

type Answer = number | ((post: ReceivedPost, response: ServerResponse) => void)

export interface Receiver extends AsyncDisposable {
  url: string
  /** In the order of arrival. */
  posts: ReceivedPost[]
  /** A status for all that comes from now on, or whatever else is to be done with it. */
  answer(next: Answer): void
}

/** An endpoint that keeps what it is sent, and answers as it is told. */
export async function openReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = []
  let answer: Answer = 200
  const server = await servePosts((received, response) => {
    const post = { ...received, body: JSON.parse(received.raw.toString()) }
    posts.push(post)
    if (typeof answer === 'number') response.writeHead(answer).end('noted')
    else answer(post, response)
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    posts,
    answer: (next) => {
      answer = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
