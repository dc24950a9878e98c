import type { Domain } from '../domain.ts'
import { channels } from '../jobs/wake-hub.ts'
import { decodeHints, encodeHint } from '../runners/claim-hints.ts'
import { type Taker, findTakers, findTakersOf } from '../entities/execution-requests/find-takers.ts'
import type { Claimer } from '../entities/execution-requests/takeable.ts'

interface Waiter extends Claimer {
  /** The request that it was woken for and has not looked for yet. */
  notified: Taker | null
  /** The request that it looks for now. */
  sought: Taker | null
  /** Set while it sleeps. */
  wake: (() => void) | null
}

interface Queue {
  waiters: Set<Waiter>
  /** Hints that nobody was woken for yet, in the encoding of their channel. */
  heard: Set<string>
  isLooking: boolean
  /** How many hints there were, whether anybody waited or not. */
  hints: number
  /** While anybody waits. */
  poll: Disposable | undefined
}

/** A claim among those that wait for a request. Disposing of it hands on what it was woken for and did not take. */
export interface WaitingClaim extends Disposable {
  /** Called before every look: what it is notified of from then on is worth another one. */
  startLook(): void
  /** Resolves when a request may be there that it can take, after `ms`, or when the signal aborts. */
  untilNotified(ms: number, signal: AbortSignal | undefined): Promise<void>
  taken(request: { id: string }): void
}

/** Per domain, so that two of them in one process do not share waiters. */
const queues = new WeakMap<Domain, Queue>()

/**
 * How many hints this process has heard. Whoever counts before a look and finds as many once it has joined has missed none
 * in between; with more of them it looks once more before it waits.
 */
export function countHints(domain: Domain): number {
  return queueOf(domain).hints
}

/** From here on it is woken for what it can take. */
export function joinWaiters(domain: Domain, claimer: Claimer): WaitingClaim {
  const queue = queueOf(domain)
  const waiter: Waiter = { ...claimer, notified: null, sought: null, wake: null }
  let takenId: string | undefined
  queue.waiters.add(waiter)
  queue.poll ??= openPoll(domain, queue)
  return {
    startLook() {
      waiter.sought = waiter.notified
      waiter.notified = null
    },
    async untilNotified(ms, signal) {
      waiter.sought = null
      if (waiter.notified || signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      waiter.wake = wake
      const timer = setTimeout(wake, Math.max(0, ms))
      signal?.addEventListener('abort', wake, { once: true })
      await promise
      waiter.wake = null
      signal?.removeEventListener('abort', wake)
      clearTimeout(timer)
    },
    taken: ({ id }) => void (takenId = id),
    [Symbol.dispose]() {
      queue.waiters.delete(waiter)
      const left = [waiter.notified, waiter.sought].filter((one) => one && one.id !== takenId)
      const handedOn = left.flatMap((one) => (one ? [encodeHint(one)] : []))
      if (handedOn.length > 0) hear(domain, queue, handedOn)
      if (queue.waiters.size > 0) return
      queue.poll?.[Symbol.dispose]()
      queue.poll = undefined
    },
  }
}

/** How many claims sleep in this process. */
export function countSleeping(domain: Domain): number {
  return [...queueOf(domain).waiters].filter(({ wake }) => wake !== null).length
}

function queueOf(domain: Domain): Queue {
  const known = queues.get(domain)
  if (known) return known
  const queue: Queue = {
    waiters: new Set(),
    heard: new Set(),
    isLooking: false,
    hints: 0,
    poll: undefined,
  }
  queues.set(domain, queue)
  // for as long as there is the domain
  domain.wake.listen(channels.requests, (about) => hear(domain, queue, about))
  return queue
}

function openPoll(domain: Domain, queue: Queue): Disposable {
  const timer = setInterval(() => look(domain, queue, ['']), domain.pollMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function hear(domain: Domain, queue: Queue, about: readonly string[]): void {
  queue.hints += 1
  look(domain, queue, about)
}

function look(domain: Domain, queue: Queue, about: readonly string[]): void {
  if (queue.waiters.size === 0) return
  for (const word of about) queue.heard.add(word)
  if (!queue.isLooking) void lookFor(domain, queue)
}

/** The cost of a look is the number of requests looked for, times the number of waiting claims. */
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
  const named = decodeHints(heard)
  const given = new Set<string>()
  for (;;) {
    const asked = [...queue.waiters].filter(
      ({ notified, workspaceId }) =>
        !notified && (!named || named.some((one) => one.workspace_id === workspaceId)),
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
      if (!waiter || waiter.notified || !queue.waiters.has(waiter) || taken.has(request.id))
        continue
      taken.add(request.id)
      given.add(request.id)
      waiter.notified = request
      waiter.wake?.()
    }
    // a look for anything answers the oldest alone
    if (named || given.size === before) return
  }
}

function underWay(queue: Queue): string[] {
  return [...queue.waiters].flatMap(({ notified, sought }) =>
    [notified, sought].flatMap((one) => (one ? [one.id] : [])),
  )
}
