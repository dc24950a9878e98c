import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Heard {
  posts: number
  /** How many of them were given no answer, or an answer that is no 2xx, by us. */
  refused: number
  bodies: Set<string>
}

export interface CountingReceiver extends AsyncDisposable {
  port: number
  heard: Map<string, Heard>
  /** Posts whose signature or ids do not hold. */
  faulty: number
  /** Share of the posts that are refused or dropped. */
  trouble: number
  lastAt: number
}

/** Keeps count of every delivery by the id in its body; what it hears under `/<n>` is signed with the nth secret. */
export async function openCountingReceiver(
  secrets: readonly string[],
  random: () => number,
): Promise<CountingReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      receiver.lastAt = performance.now()
      const { id } = JSON.parse(raw.toString()) as { id: string } // every payload begins with it
      const secret = secrets[Number(request.url?.slice(1))] ?? ''
      const value = String(request.headers['x-svc-signature'])
      if (!isSigned(value, secret, raw) || request.headers['x-svc-delivery'] !== id) {
        receiver.faulty += 1
      }
      const known = receiver.heard.get(id) ?? { posts: 0, refused: 0, bodies: new Set() }
      receiver.heard.set(id, known)
      known.posts += 1
      known.bodies.add(createHash('sha256').update(raw).digest('hex'))
      const drawn = random()
      if (drawn >= receiver.trouble) return void response.end('noted')
      known.refused += 1
      if (drawn < receiver.trouble / 2) response.destroy()
      else response.writeHead(503).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: CountingReceiver = {
    // A server that listens on a port has an address with one.
    port: (server.address() as AddressInfo).port,
    heard: new Map(),
    faulty: 0,
    trouble: 0.02,
    lastAt: performance.now(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

function isSigned(value: string, secret: string, raw: Buffer): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(value) ?? []
  return v1 === createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex')
}
