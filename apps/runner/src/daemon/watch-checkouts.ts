import { homeAt, worktreesRoot } from '../files/home.ts'
import { readHolders } from '../git/checkout-holders.ts'
import { dirtyFiles } from '../git/checkout.ts'
import { isBelow } from '../git/worktrees.ts'
import { locksThatStay } from '../supervisor/stale-locks.ts'
import { type JournalStep, findStep } from '../run/journal.ts'
import type { RunOrder } from '../run/order.ts'

/** Checkouts that were in use or held changes when a run needed them. */
export interface CheckoutWatch {
  add: (order: RunOrder, steps: readonly JournalStep[]) => void
  /** Looks at each checkout that is waited for, less and less often while nothing changes. True when one became ready. */
  look: () => Promise<boolean>
  /** Resources whose checkouts became ready and that are not reported to the service yet. */
  changed: () => string[]
  reported: (resourceKeys: readonly string[]) => void
}

interface Watched extends Pick<RunOrder, 'home' | 'bootId'> {
  path: string
  /** It is a checkout that a person linked, and no worktree of the runner: uncommitted changes block it, too. */
  isOwn: boolean
  wasReady: Promise<boolean>
  /** How many looks have found it not ready. */
  looks: number
  /** How many times it is passed over before the next look. */
  passes: number
}

const mostPasses = 15

export function watchCheckouts(): CheckoutWatch {
  const watched = new Map<string, Watched>()
  /** Runs that were given back: locks that they have left block nobody. */
  const givenBack = new Set<string>()
  const changed = new Set<string>()
  return {
    add({ assignment, checkouts, home, bootId }, steps) {
      const { id, resourceKey } = assignment.executionRequest
      if (resourceKey === null) return
      const path = findStep(steps, 'blocked')?.checkout ?? checkouts[resourceKey]
      if (path === undefined) return
      const isOwn = !isBelow(worktreesRoot(homeAt(home)), path)
      const checkout = { path, isOwn, home, bootId }
      // it may be ready by now; for a run that came back for something else, one more try shows that
      const wasReady = givenBack.has(id) ? isReady(checkout, givenBack) : Promise.resolve(false)
      givenBack.add(id)
      watched.set(resourceKey, { ...checkout, wasReady, looks: 0, passes: 0 })
    },
    async look() {
      let some = false
      for (const [resourceKey, one] of watched) {
        if (one.passes > 0) {
          one.passes -= 1
          continue
        }
        const ready = await isReady(one, givenBack)
        if (watched.get(resourceKey) !== one) continue
        if (ready && !(await one.wasReady)) {
          watched.delete(resourceKey)
          changed.add(resourceKey)
          some = true
        } else {
          one.wasReady = Promise.resolve(ready)
          one.looks += 1
          one.passes = Math.min(Math.floor(one.looks / 10), mostPasses)
        }
      }
      return some
    },
    changed: () => [...changed],
    reported: (resourceKeys) => resourceKeys.forEach((key) => changed.delete(key)),
  }
}

/**
 * Whether a checkout is in nobody's use. A person's must have nothing uncommitted in it, and one of the runner's no lock
 * that stays.
 */
async function isReady(
  { path, isOwn, ...of }: Pick<Watched, 'path' | 'isOwn' | 'home' | 'bootId'>,
  givenBack: ReadonlySet<string>,
): Promise<boolean> {
  try {
    if (readHolders(path).some(({ requestId }) => !givenBack.has(requestId))) return false
    return isOwn ? (await dirtyFiles(path)).length === 0 : locksThatStay(path, of).length === 0
  } catch {
    // A checkout that cannot be read is reported with the resources.
    return false
  }
}
