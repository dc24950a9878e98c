import { createLog } from '@svc/process/log'
import { type Hooked, openHooked, secondsUntilDue } from '@svc/domain/testing/hooked-world'
import { type World, test as base } from '@svc/domain/testing/world'
import { type Dispatching, startDispatcher } from '../dispatcher.ts'
import type { DispatcherLimits, DispatcherTiming } from '../timing.ts'

/** As the fixtures' hooked world; what is due is done by a dispatcher. */
export interface Dispatched extends Omit<Hooked, 'deliverDue'> {
  dispatcher: Dispatching
  startDispatcher: (setUp?: {
    timing?: Partial<DispatcherTiming>
    limits?: Partial<DispatcherLimits>
  }) => Dispatching
}

const silent = createLog({ name: 'test', level: 'silent' })

/** Polls that no test waits for: what is due is done by `drain`. */
const still = { pollMs: 3_600_000, sweepMs: 3_600_000, slowSweepMs: 3_600_000 }

async function openDispatched(world: World): Promise<Dispatched> {
  await using opened = new AsyncDisposableStack()
  const { deliverDue: _, ...hooked } = opened.use(await openHooked(world))
  const { domain } = hooked
  const start: Dispatched['startDispatcher'] = ({ timing, limits } = {}) =>
    startDispatcher({ domain, log: silent, timing: { ...still, ...timing }, limits: limits ?? {} })
  const dispatcher = opened.use(start())
  const resources = opened.move()
  return {
    ...hooked,
    dispatcher,
    startDispatcher: start,
    nextAttempt: async (subscription) => {
      await world.advance(await secondsUntilDue(domain, subscription.id))
      await dispatcher.drain()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export const test = base.extend('hooked', async ({ world }, { onCleanup }) => {
  const hooked = await openDispatched(world)
  onCleanup(() => hooked[Symbol.asyncDispose]())
  return hooked
})
