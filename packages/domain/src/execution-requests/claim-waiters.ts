import type { Domain } from '../domain.ts'
import { channels } from '../jobs/wake-hub.ts'
import { readWords, wordOf } from '../runners/claim-hints.ts'
import { type Taker, findTakers, findTakersOf } from '../entities/execution-requests/find-takers.ts'
import type { Claimer } from '../entities/execution-requests/takeable.ts'

interface Waiter extends Claimer {
  /** What it was woken for and has not looked for yet. */
  told: Taker | null
  /** What it looks for now. */
  sought: Taker | null
  /** Set while it sleeps. */
  wake: (() => void) | null
}

interface Queue {
  waiters: Set<Waiter>
  /** Hints that nobody was woken for yet, as words of their channel. */
  heard: Set<string>
  isLooking: boolean
  /** The hints and the poll, while anybody waits. */
  source: Disposable | undefined
}

/** A place among those that wait for a request. Whoever leaves it hands on what it was woken for and did not take. */
export interface Place extends Disposable {
  /** Said before every look: what it is told from then on is worth another one. */
  looks(): void
  /** Resolves when a request may be there that it can take, after `ms`, or when the signal aborts. */
  untilTold(ms: number, signal: AbortSignal | undefined): Promise<void>
  took(request: { id: string }): void
}

/** Per domain, so that two of them in one process do not share waiters. */
const queues = new WeakMap<Domain, Queue>()

/** Takes a place before its holder looks, so that nothing is missed between the look and the wait. */
export function joinWaiters(domain: Domain, claimer: Claimer): Place {
  const queue = queueOf(domain)
  const waiter: Waiter = { ...claimer, told: null, sought: null, wake: null }
  let takenId: string | undefined
  queue.waiters.add(waiter)
  queue.source ??= openSource(domain, queue)
  return {
    looks() {
      waiter.sought = waiter.told
      waiter.told = null
    },
    async untilTold(ms, signal) {
      waiter.sought = null
      if (waiter.told || signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      waiter.wake = wake
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake, { once: true })
      await promise
      waiter.wake = null
      signal?.removeEventListener('abort', wake)
      clearTimeout(timer)
    },
    took: ({ id }) => void (takenId = id),
    [Symbol.dispose]() {
      queue.waiters.delete(waiter)
      const left = [waiter.told, waiter.sought].filter((one) => one && one.id !== takenId)
      hear(
        domain,
        queue,
        left.flatMap((one) => (one ? [wordOf(one)] : [])),
      )
      if (queue.waiters.size > 0) return
      queue.source?.[Symbol.dispose]()
      queue.source = undefined
    },
  }
}

/** How many claims sleep in this process. */
export function countSleeping(domain: Domain): number {
  return [...queueOf(domain).waiters].filter(({ wake }) => wake !== null).length
}

function queueOf(domain: Domain): Queue {
  const queue: Queue = queues.get(domain) ?? {
    waiters: new Set(),
    heard: new Set(),
    isLooking: false,
    source: undefined,
  }
  queues.set(domain, queue)
  return queue
}

function openSource(domain: Domain, queue: Queue): Disposable {
  const hints = domain.wake.listen(channels.requests, (about) => hear(domain, queue, about))
  const poll = setInterval(() => hear(domain, queue, ['']), domain.pollMs)
  return {
    [Symbol.dispose]() {
      clearInterval(poll)
      hints[Symbol.dispose]()
    },
  }
}

function hear(domain: Domain, queue: Queue, about: readonly string[]): void {
  for (const word of about) queue.heard.add(word)
  if (!queue.isLooking) void lookFor(domain, queue)
}

/** A look costs as many requests as it is for times the claims that wait. */
const atOnce = 16

/** One look at a time: what is heard during one waits for the next. */
async function lookFor(domain: Domain, queue: Queue): Promise<void> {
  queue.isLooking = true
  try {
    while (queue.heard.size > 0) {
      const heard = [...queue.heard].slice(0, atOnce)
      for (const word of heard) queue.heard.delete(word)
      await handOut(domain, queue, heard)
    }
  } catch (error) {
    domain.log.warn({ err: error }, 'the look for queued requests failed; the poll goes on')
  }
  queue.isLooking = false
}

/** Every request wakes one waiter that can take it: the one that waits longest and was not woken for another. */
async function handOut(domain: Domain, queue: Queue, heard: readonly string[]): Promise<void> {
  const named = readWords(heard)
  const given = new Set<string>()
  for (;;) {
    const asked = [...queue.waiters].filter(
      ({ told, workspaceId }) =>
        !told && (!named || named.some((one) => one.workspace_id === workspaceId)),
    )
    if (asked.length === 0) return
    const except = [...given, ...underWay(queue)]
    const found = named
      ? await findTakersOf(domain.db, asked, named)
      : await findTakers(domain.db, asked, except)
    const before = given.size
    const taken = new Set([...given, ...underWay(queue)])
    for (const request of found) {
      const waiter = asked[request.n]
      if (!waiter || waiter.told || !queue.waiters.has(waiter) || taken.has(request.id)) continue
      taken.add(request.id)
      given.add(request.id)
      waiter.told = request
      waiter.wake?.()
    }
    // a look for anything answers the oldest alone
    if (named || given.size === before) return
  }
}

function underWay(queue: Queue): string[] {
  return [...queue.waiters].flatMap(({ told, sought }) =>
    [told, sought].flatMap((one) => (one ? [one.id] : [])),
  )
}
