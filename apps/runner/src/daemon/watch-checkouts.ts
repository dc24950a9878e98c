import { findCheckoutHolder } from '../git/checkout-lock.ts'
import { dirtyFiles } from '../git/checkout.ts'
import type { RunOrder } from '../run/order.ts'

/** Checkouts that were in use or held changes when a run needed them. */
export interface CheckoutWatch {
  add: (order: RunOrder) => void
  /** Looks at each; true when one became ready that was not. */
  look: () => Promise<boolean>
  /** Resources of those that became ready and of which the service was not told yet. */
  changed: () => string[]
  told: (resourceKeys: readonly string[]) => void
}

interface Watched {
  path: string
  wasReady: Promise<boolean>
}

export function watchCheckouts(): CheckoutWatch {
  const watched = new Map<string, Watched>()
  /** Runs that were given back: a lock of theirs stands in nobody's way. */
  const givenBack = new Set<string>()
  const changed = new Set<string>()
  return {
    add({ assignment, checkouts }) {
      const { id, resourceKey } = assignment.executionRequest
      const path = resourceKey === null ? undefined : checkouts[resourceKey]
      if (resourceKey === null || path === undefined) return
      // it may be ready by now; for a run that came back for something else, one more try shows that
      const wasReady = givenBack.has(id) ? isReady(path, givenBack) : Promise.resolve(false)
      givenBack.add(id)
      watched.set(resourceKey, { path, wasReady })
    },
    async look() {
      let some = false
      for (const [resourceKey, one] of watched) {
        const ready = await isReady(one.path, givenBack)
        if (watched.get(resourceKey) !== one) continue
        if (ready && !(await one.wasReady)) {
          watched.delete(resourceKey)
          changed.add(resourceKey)
          some = true
        } else {
          one.wasReady = Promise.resolve(ready)
        }
      }
      return some
    },
    changed: () => [...changed],
    told: (resourceKeys) => resourceKeys.forEach((key) => changed.delete(key)),
  }
}

/** In nobody's use, and with nothing uncommitted in it. */
async function isReady(path: string, givenBack: ReadonlySet<string>): Promise<boolean> {
  try {
    const holder = findCheckoutHolder(path)
    if (holder !== undefined && !givenBack.has(holder.requestId)) return false
    return (await dirtyFiles(path)).length === 0
  } catch {
    // A checkout that cannot be read is told of with the resources.
    return false
  }
}
