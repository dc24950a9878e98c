import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openHome } from '../files/home.ts'
import { freeCheckout } from '../git/checkout-holders.ts'
import { nameCheckout } from '../git/named-checkout.ts'
import { withRepository } from '../git/repository-lock.ts'
import { type RunOrder, defaultTiming, logBytesBefore } from '../run/order.ts'
import { createRunFolder } from '../run/run-folder.ts'
import { type Run, openRun } from '../run/run.ts'
import { makeAssignment, thisRunner } from '../testing/assignment.ts'
import {
  type Wanted,
  cloned,
  missionBranch,
  ofMission,
  recordedIn,
  repository,
} from '../testing/prepared.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { prepareDirectory } from './prepare-directory.ts'
import { takeCheckout } from './take-checkout.ts'

const log = { info: () => undefined, warn: () => undefined }

/** A linked checkout, and runs on it that nobody has prepared yet. */
function openCheckout() {
  const opened = new DisposableStack()
  const checkout = opened.use(repository()).path
  const home = openHome(join(opened.use(temporaryFolder()).path, 'home'))
  const device = { fingerprint: 'a-machine', label: 'laptop', platform: 'linux', arch: 'x64' }
  const run = (wanted: Wanted = {}) => {
    const order: RunOrder = {
      assignment: makeAssignment({ resourceKey: 'web', ...wanted }),
      leaseToken: 'k1.1',
      agentToken: null,
      leaseSeconds: 60,
      heartbeatSeconds: 15,
      logBytes: logBytesBefore,
      serviceUrl: 'http://127.0.0.1:1',
      home: home.folder,
      instanceId: randomUUID(),
      device,
      bootId: 'a-boot',
      agent: null,
      maxRights: 'all',
      checkouts: { web: checkout },
      clones: {},
      ephemeral: false,
      timing: defaultTiming,
    }
    return openRun(createRunFolder(home, order), {}, log)
  }
  return { checkout, run, [Symbol.dispose]: () => opened.dispose() }
}

describe('the time that a run has to be prepared', () => {
  const stopClock = () =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  afterEach(() => void vi.useRealTimers())

  test('ends it, and it is given back', async ({ signal }) => {
    using folder = openCheckout()
    stopClock()
    const prepared = prepareDirectory(folder.run(), signal)
    vi.runOnlyPendingTimers()
    await expect(prepared).rejects.toMatchObject({ reason: 'network' })
  })

  test.for(['worktrees', 'fetch'] as const)(
    'stands still while others have their turn in the repository: %s',
    { tags: 'large' },
    async (purpose, { signal }) => {
      using folder = openCheckout()
      const begun = begunIn(folder.checkout)
      using origin = cloned(folder.checkout)
      if (purpose === 'fetch') gitIn(folder.checkout, 'remote', 'add', 'origin', origin.path)
      const taken = Promise.withResolvers<void>()
      const others = Promise.withResolvers<void>()
      const first = withRepository(folder.checkout, purpose, () => {
        taken.resolve()
        return others.promise
      })
      await taken.promise
      stopClock()
      const prepared = prepareDirectory(folder.run(begun), signal)
      expect(vi.getTimerCount()).toBe(1)
      // a poll of vitest would let time pass
      while (vi.getTimerCount() > 0) await nextTurn(undefined, { signal })
      others.resolve()
      expect(await prepared).toMatchObject({ prepared: { checkout: 'worktree' } })
      await first
    },
  )

  test(
    'stands still while another run leaves the worktree',
    { tags: 'large' },
    async ({ signal }) => {
      using folder = openCheckout()
      const linked = linkedTo(folder.checkout)
      const taking = (run: Run) => ({ run, assignment: run.order.assignment, linked })
      const earlier = folder.run(begunIn(folder.checkout))
      const { missionId } = earlier.order.assignment.executionRequest
      const atOnce = { signal, whileWaiting: <T>(wait: () => Promise<T>) => wait() }
      const { tree, holder } = await takeCheckout(taking(earlier), atOnce)

      const next = folder.run({ missionId, ...ofMission(recordedIn(folder.checkout)) })
      let waits = 0
      const taken = await takeCheckout(taking(next), {
        signal,
        whileWaiting(wait) {
          waits += 1
          // the first is for the turn in the repository
          if (waits === 2) freeCheckout(tree.checkout, holder)
          return wait()
        },
      })
      expect(taken.tree.checkout).toBe(tree.checkout)
    },
  )
})

/** A mission whose branch is recorded, and yet to be cut here: nobody has to be asked for its name. */
function begunIn(checkout: string): Wanted {
  const sha = gitIn(checkout, 'rev-parse', 'main')
  return ofMission({
    branch: missionBranch,
    startSha: sha,
    lastSha: sha,
    runnerId: thisRunner,
    runnerLabel: 'laptop',
  })
}

const linkedTo = (checkout: string) =>
  nameCheckout(checkout, makeAssignment({ resourceKey: 'web' }), 'laptop')
