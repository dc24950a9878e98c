import { setImmediate as afterThis } from 'node:timers/promises'
import type { Domain } from '../domain.ts'

interface Reads<What, From, Found> {
  /** Equal for those who are answered alike. */
  name: (domain: Domain, what: What) => string
  /** From where both are answered whole. */
  earlier: (one: From, other: From) => From
  read: (domain: Domain, what: What, from: From) => Promise<Found>
}

/**
 * A read of many who are woken in the same moment, made once for all of them. It begins when each has said from where,
 * never before one of them has asked: what was there by then, it finds. Whoever asks later gets one of their own. Each takes
 * what comes after its own place, which is all of it but for what the others lacked.
 */
export function together<What, From, Found>({
  name,
  earlier,
  read,
}: Reads<What, From, Found>): Reads<What, From, Found>['read'] {
  const joinable = new WeakMap<
    Domain,
    Map<string, { place: { from: From }; found: Promise<Found> }>
  >()
  return (domain, what, from) => {
    const open = joinable.get(domain) ?? new Map()
    joinable.set(domain, open)
    const key = name(domain, what)
    const joined = open.get(key)
    if (joined) {
      joined.place.from = earlier(joined.place.from, from)
      return joined.found
    }
    const place = { from }
    const found = afterThis().then(() => {
      open.delete(key)
      return read(domain, what, place.from)
    })
    open.set(key, { place, found })
    return found
  }
}
