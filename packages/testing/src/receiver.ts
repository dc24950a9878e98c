import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import { type Listening, listen } from './listen.ts'

export interface Post {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
}

/** A customer's endpoint on loopback: `take` is given each request with the whole of its body. */
export async function servePosts(
  take: (post: Post, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      take({ path, headers, raw: Buffer.concat(chunks) }, response)
    })
  })
  server.keepAliveTimeout = 60_000
  return listen(server)
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
    url: `${server.url}/hook`,
    posts,
    answer: (next) => {
      answer = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
