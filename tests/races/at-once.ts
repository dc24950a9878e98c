import { isServiceError } from '@svc/contracts/errors'
import type { World } from '@svc/domain/testing/open-world'
import pg from 'pg'
import { expectInvariants } from '../invariants.ts'

/** What a call came to: `done`, or the code of its refusal. */
export type Came = string

/**
 * Makes all calls at once. A refusal that says what is so is an answer like any other; one that says only that the
 * service could not, or that is none of the service's, is thrown.
 */
export async function atOnce(calls: readonly (() => Promise<unknown>)[]): Promise<Came[]> {
  const made = await Promise.allSettled(calls.map((call) => call()))
  return made.map((one) => {
    if (one.status === 'fulfilled') return 'done'
    const error: unknown = one.reason
    if (!isServiceError(error) || ['internal', 'unavailable'].includes(error.code)) {
      throw new Error('A call met a fault in place of an answer', { cause: error })
    }
    return error.code
  })
}

export function countOf(came: readonly Came[], which: Came): number {
  return came.filter((one) => one === which).length
}

export function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Runs it; afterwards all that must hold does, and no transaction of this process was the victim of a deadlock. */
export async function race(world: World, run: (world: World) => Promise<void>): Promise<void> {
  using deadlocks = watchDeadlocks()
  await run(world)
  await expectInvariants(world.domain.db)
  require(deadlocks.count() === 0, `${deadlocks.count()} deadlocks were met and tried again`)
}

/** A retry hides them from every caller, and costs a second each. */
function watchDeadlocks(): Disposable & { count: () => number } {
  let count = 0
  const note = (error: unknown) => {
    if (typeof error === 'object' && error && 'code' in error && error.code === '40P01') count += 1
  }
  // the service uses the overloads that answer with a promise
  const prototype = pg.Client.prototype as unknown as {
    query: (...given: unknown[]) => Promise<unknown> | undefined
  }
  const { query } = prototype
  prototype.query = function watched(...given) {
    const answer = query.apply(this, given)
    answer?.then(undefined, note)
    return answer
  }
  return { count: () => count, [Symbol.dispose]: () => void (prototype.query = query) }
}
