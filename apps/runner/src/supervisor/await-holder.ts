import { sleep } from '@svc/client/retry'
import { isAlive } from '@svc/process/process-identity'
import { checkoutBusy } from '../git/blocking-holder.ts'
import { type CheckoutHolder, isSameRun, readHolders } from '../git/checkout-holders.ts'
import type { WorkingTree } from '../git/working-tree.ts'
import { writeStopOrder } from '../run/run-folder.ts'
import type { Run } from '../run/run.ts'

const pollMs = 200

/** A working tree that a run needs and that somebody is in. */
export interface Held {
  tree: WorkingTree
  heldBy: CheckoutHolder
  /** Seconds until the holder is ordered to stop; undefined when it may stay and this run must yield. */
  patience: number | undefined
}

/** How long one run waits, however many holders it meets: one that is ordered to stop has time for its graceful termination. */
export function startWait({ order }: Run, signal: AbortSignal) {
  const { interruptSeconds, terminateSeconds } = order.timing
  const terminationMs = (interruptSeconds + terminateSeconds + 30) * 1000
  const began = performance.now()
  return {
    /** Throws the release of a run that must not wait any longer. */
    async untilFree({ tree, heldBy, patience }: Held): Promise<void> {
      let orderedAt: number | undefined
      while (readHolders(tree.checkout).some((one) => isSameRun(one, heldBy))) {
        const isOver = orderedAt !== undefined && performance.now() - orderedAt > terminationMs
        if (patience === undefined || isOver) throw checkoutBusy(tree, heldBy)
        if (orderedAt === undefined && performance.now() - began >= patience * 1000) {
          orderedAt = performance.now()
          orderStop(heldBy)
        }
        await sleep(pollMs, signal)
      }
    },
  }
}

/** Asks the holder's supervisor to stop its run. Where the supervisor is gone, the daemon takes care of the run. */
function orderStop({ runFolder, supervisor }: CheckoutHolder): void {
  if (!isAlive(supervisor)) return
  try {
    writeStopOrder(runFolder, { cause: 'handed_over', unlessSpawned: false })
    process.kill(supervisor.pid, 'SIGTERM')
  } catch {
    // It has gone in between.
  }
}
