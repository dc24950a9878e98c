import { createServer } from 'node:net'

/** The next ports from this one on at which nothing listens; no part of the range that connections get theirs from by chance. */
export async function freePorts(first: number, count: number): Promise<number[]> {
  const found: number[] = []
  for (let port = first; found.length < count; port += 1) {
    if (await isFree(port)) found.push(port)
  }
  return found
}

async function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}
