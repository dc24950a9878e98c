import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** What is known of a request before it is handled, and what its caller says that it belongs to. */
export interface Handled {
  path: string
  traceparent: string | undefined
}

const handling = channel('svc:handling')

/** Handles a request, in the context that whoever follows requests has made of it. */
export function handleWithin<R>(make: () => Handled, handle: () => R): R {
  return handling.hasSubscribers ? handling.runStores(make(), handle) : handle()
}

/** While a request is handled the store has what `enter` has made of it, until this is disposed. */
export function keepHandled<S>(
  store: AsyncLocalStorage<S>,
  enter: (request: Handled) => S,
): Disposable {
  // nobody else publishes under this name
  handling.bindStore(store, (request: unknown) => enter(request as Handled))
  return {
    [Symbol.dispose]() {
      handling.unbindStore(store)
    },
  }
}
