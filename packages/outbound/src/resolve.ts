import { Resolver, lookup } from 'node:dns/promises'

/** Every address of a name, IPv4 first. Throws UnresolvableError when there is none. */
export type Resolve = (host: string, isAllowed: boolean) => Promise<readonly string[]>

export class UnresolvableError extends Error {
  override readonly name = 'UnresolvableError'
  /** ENOTFOUND, ENODATA, ESERVFAIL, ETIMEOUT, … */
  readonly code: string

  constructor(cause: unknown) {
    super('The name has no address.', { cause })
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'ENODATA'
  }
}

interface Answer {
  addresses: readonly string[]
  expiresAt: number
}

const mostSeconds = 30
const mostNames = 1000

/**
 * Names go to the DNS directly: the system's lookup has four threads, which a few hung servers
 * would fill. Allowed hosts go through the system all the same, for they may be known only there.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2, maxTimeout: 2000 })
  if (servers) resolver.setServers(servers)
  const cache = new Map<string, Answer>()
  return async (host, isAllowed) => {
    if (isAllowed && !servers) return lookUp(host)
    const known = cache.get(host)
    if (known && known.expiresAt > performance.now()) return known.addresses
    cache.delete(host)
    const answer = await ask(resolver, host)
    if (answer.expiresAt > performance.now()) remember(cache, host, answer)
    return answer.addresses
  }
}

async function ask(resolver: Resolver, host: string): Promise<Answer> {
  const answers = await Promise.allSettled([
    resolver.resolve4(host, { ttl: true }),
    resolver.resolve6(host, { ttl: true }),
  ])
  // A server that fails for one family only is common, and nothing unknown is ever connected to.
  const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (records.length === 0) {
    throw new UnresolvableError(answers.find((answer) => answer.status === 'rejected')?.reason)
  }
  const seconds = Math.min(mostSeconds, ...records.map((record) => record.ttl))
  return {
    addresses: records.map((record) => record.address),
    expiresAt: performance.now() + seconds * 1000,
  }
}

async function lookUp(host: string): Promise<readonly string[]> {
  try {
    const found = await lookup(host, { all: true })
    return found.map((entry) => entry.address)
  } catch (cause) {
    throw new UnresolvableError(cause)
  }
}

function remember(cache: Map<string, Answer>, host: string, answer: Answer): void {
  for (const oldest of cache.keys()) {
    if (cache.size < mostNames) break
    cache.delete(oldest)
  }
  cache.set(host, answer)
}
