import { sleep } from '@svc/client/retry'
import { isAlive, readProcess } from '@svc/process/process-identity'
import { type CheckoutHolder, takeCheckoutLock } from '../git/checkout-lock.ts'
import type { Place } from '../git/place.ts'
import { writeStopOrder } from '../run/run-folder.ts'
import type { Run } from '../run/run.ts'
import { LaunchRelease } from '../launch-failure.ts'

const pollMs = 200

/** Takes the checkout's lock, waiting for a holder that is on its way out; gives the run back for any other. */
export async function takeCheckout(
  run: Run,
  place: Place,
  signal: AbortSignal,
): Promise<CheckoutHolder> {
  const { mission, objective } = run.order.assignment.branches
  // the one that a predecessor may still be on; what this run will be on is decided once the checkout is its own
  const branch = (objective ?? mission)?.branch ?? ''
  const mine = holderOf(run, branch)
  const wait = startWait(run)
  for (;;) {
    const holder = takeCheckoutLock(place.checkout, mine)
    if (holder === undefined) return mine
    const patience = patienceFor(run, holder, branch)
    if (patience === undefined || wait.isOver()) throw busy(place, holder)
    if (wait.seconds() >= patience) wait.handOver(holder)
    await sleep(pollMs, signal)
  }
}

function holderOf(run: Run, branch: string): CheckoutHolder {
  const { executionRequest } = run.order.assignment
  return {
    requestId: run.requestId,
    generation: run.generation,
    missionId: executionRequest.missionId,
    objectiveId: executionRequest.objectiveId,
    branch,
    runFolder: run.folder,
    supervisor: readProcess(process.pid) ?? { pid: process.pid, startedAt: '' },
  }
}

/** Seconds until the holder is told to go; undefined when it may stay and this run must yield. */
function patienceFor(run: Run, holder: CheckoutHolder, branch: string): number | undefined {
  const { executionRequest, siblings } = run.order.assignment
  if (holder.objectiveId === executionRequest.objectiveId) return 0
  const isLive = siblings.some(({ requestId }) => requestId === holder.requestId)
  if (holder.missionId !== executionRequest.missionId || holder.branch !== branch || isLive) {
    return undefined
  }
  return run.order.timing.handOverSeconds
}

function startWait({ order }: Run) {
  const { interruptSeconds, terminateSeconds } = order.timing
  const began = performance.now()
  let toldAt: number | undefined
  return {
    seconds: () => (performance.now() - began) / 1000,
    /** Told to go, and its ladder is behind it. */
    isOver: () =>
      toldAt !== undefined &&
      performance.now() - toldAt > (interruptSeconds + terminateSeconds + 30) * 1000,
    handOver(holder: CheckoutHolder) {
      if (toldAt !== undefined) return
      toldAt = performance.now()
      tellToStop(holder)
    },
  }
}

/** Of a holder whose supervisor is gone the daemon takes care. */
function tellToStop({ runFolder, supervisor }: CheckoutHolder): void {
  if (!isAlive(supervisor)) return
  try {
    writeStopOrder(runFolder, { cause: 'handed_over', unlessSpawned: false })
    process.kill(supervisor.pid, 'SIGTERM')
  } catch {
    // It has gone in between.
  }
}

function busy({ name }: Place, { requestId }: CheckoutHolder): LaunchRelease {
  return new LaunchRelease(
    'checkout_busy',
    `The ${name} is in use by another run: this one goes on when that has ended.`,
    { next: { operation: 'getExecutionRequest', params: { id: requestId } } },
  )
}
