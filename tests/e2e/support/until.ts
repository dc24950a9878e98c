import { setTimeout as delay } from 'node:timers/promises'

/** Each look costs the service a call, and the machine has other tests to run. */
const pollMs = 100

/** Looks until there is something to see; its falsy answers mean "not yet". Fails with what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { seconds = 120, details = () => '' }: { seconds?: number; details?: () => unknown } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const seen = await look()
    // What is left of the type is what passed the test.
    if (seen) return seen as Exclude<T, false | null | undefined>
    if (performance.now() > deadline) {
      throw new Error(`waited ${seconds} s in vain until ${what}\n${String(details())}`)
    }
    await delay(pollMs)
  }
}
