import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { endLongComposing } from './presentations.ts'

const batch = 500

/** Deliveries that no model composed within an hour keep the presentation that they have. Answers how many. */
export async function sweepCompositions(domain: Domain): Promise<number> {
  let ended = 0
  for (;;) {
    const found = await inTransaction({ domain }, (tx) => endLongComposing(tx, batch))
    ended += found
    if (found < batch) return ended
  }
}
