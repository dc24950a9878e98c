import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** Something that a process tells whoever measures it. While nobody does, telling costs the look at a flag. */
function measured<T>(name: string) {
  const told = channel(`svc:${name}`)
  return {
    tell(make: () => T): void {
      if (told.hasSubscribers) told.publish(make())
    },
    /** Hears of each one until disposed. */
    hear(heard: (value: T) => void): Disposable {
      // nobody else publishes under this name
      const listener = (value: unknown) => heard(value as T)
      told.subscribe(listener)
      return {
        [Symbol.dispose]() {
          told.unsubscribe(listener)
        },
      }
    },
  }
}

/** Something that encloses what is told while it lasts, so that whoever hears of both can tell what belongs together. */
function enclosing<T>(name: string) {
  const begun = channel(`svc:${name}`)
  return {
    run<R>(make: () => T, work: () => R): R {
      return begun.hasSubscribers ? begun.runStores(make(), work) : work()
    },
    /** What `enter` answers is in the store until the end of what has begun; until disposed. */
    keep<S>(store: AsyncLocalStorage<S>, enter: (value: T) => S): Disposable {
      // nobody else publishes under this name
      begun.bindStore(store, (value: unknown) => enter(value as T))
      return {
        [Symbol.dispose]() {
          begun.unbindStore(store)
        },
      }
    },
  }
}

/** The handling of a request, with what its caller says that it belongs to. */
export const requestHandled = enclosing<{ path: string; traceparent: string | undefined }>(
  'handling',
)

/** A request that was answered, under the pattern of its route: as many as there are routes, whatever is asked for. */
export const requestAnswered = measured<{
  requestId: string
  method: string
  route: string
  status: number
  seconds: number
}>('request')

/** A call that was refused, by the code of the refusal. */
export const callRefused = measured<{ code: string }>('refusal')

/** A pass of a loop that came to its end. */
export const loopPassed = measured<{ loop: string; failed: boolean; seconds: number }>('loop')

/** An attempt to deliver a webhook, with what it has sent. */
export const attemptEnded = measured<{
  outcome: string
  seconds: number
  number: number
  deliveryId: string
  subscriptionId: string
  eventId: string
  payload: Uint8Array
}>('attempt')
