import type { Domain } from '@svc/domain/domain'
import type { Channel } from '@svc/domain/jobs/wake-hub'
import type { Loop } from '@svc/process/loop'

const hourMs = 3_600_000

/** Wakes the loop at each hint. A lost one costs a poll. */
export function wakeOnHints(domain: Domain, channel: Channel, loop: Loop): AsyncDisposable {
  const stopping = new AbortController()
  const listen = async () => {
    while (!stopping.signal.aborted) {
      await domain.wake.wait(channel, hourMs, stopping.signal)
      loop.wake()
    }
  }
  const listening = listen()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await listening
    },
  }
}
