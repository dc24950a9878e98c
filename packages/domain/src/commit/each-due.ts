import type { UnitOfWork } from './unit-of-work.ts'
import type { Domain } from '../domain.ts'
import { inTransaction } from './transaction.ts'

/** How much of one chore is done in one pass, so that the others have their turn. */
const batch = 100

interface Chore<Found, Held> {
  /** Looks without locks, for no more than so many. */
  find: (most: number) => Promise<readonly Found[]>
  /** Locks in order and looks again: undefined where nothing is due any more. */
  lock: (tx: UnitOfWork, found: Found) => Promise<Held | undefined>
  work: (tx: UnitOfWork, held: Held) => Promise<unknown>
}

/**
 * Does what is due, each in a transaction of its own; so any number of processes may do the same chore, and each may
 * die anywhere. One that fails must not keep the others from it.
 */
export async function eachDue<Found extends { id: string }, Held>(
  domain: Domain,
  { find, lock, work }: Chore<Found, Held>,
): Promise<void> {
  for (const found of await find(batch)) {
    try {
      await inTransaction({ domain }, async (tx) => {
        const held = await lock(tx, found)
        if (held !== undefined) await work(tx, held)
      })
    } catch (error) {
      domain.log.error({ err: error, id: found.id }, 'the sweep could not end this; it tries again')
    }
  }
}
