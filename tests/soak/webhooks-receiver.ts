import { createHash, createHmac } from 'node:crypto'
import { servePosts } from '@svc/testing/receiver'

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
  const server = await servePosts(({ path, headers, raw }, response) => {
    receiver.lastAt = performance.now()
    const { id } = JSON.parse(raw.toString()) as { id: string } // every payload begins with it
    const secret = secrets[Number(path.slice(1))] ?? ''
    const value = String(headers['x-svc-signature'])
    if (!isSigned(value, secret, raw) || headers['x-svc-delivery'] !== id) receiver.faulty += 1
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
  const receiver: CountingReceiver = {
    port: server.port,
    heard: new Map(),
    faulty: 0,
    trouble: 0.02,
    lastAt: performance.now(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return receiver
}

function isSigned(value: string, secret: string, raw: Buffer): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(value) ?? []
  return v1 === createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex')
}
