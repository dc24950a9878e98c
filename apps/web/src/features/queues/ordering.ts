import { RefusedError } from '@svc/client/errors'
import { newKey } from '@svc/client/new-key'
import { isUnanswered, saidBy } from '../../data/unanswered.ts'
import { judgeOrder, movedAmong, withOrder } from '../../parts/order/judge-order.ts'

/** An entry on its way to another place of its queue. */
export interface Ordering {
  queue: { id: string; name: string }
  moved: { id: string; displayId: string }
  /** The order that it was moved in, and the one that comes of it: all entries by their ids. */
  before: readonly string[]
  wanted: readonly string[]
  /** Of the queue that was shown. */
  expectedRevision: number
  /** Under which it is sent, so that it is done once however often that is. */
  key: string
}

/** The order that stands where another was expected, as the service says it. */
export interface Standing {
  currentOrder: readonly string[]
  inFlightEntryId: string | null
  revision: number
}

/** Why an order was not made, and what a person can do about it. */
export type Hindrance =
  /** Somebody else has put the queue in another order meanwhile. */
  | { why: 'ordered'; ordering: Ordering; standing: Standing }
  /** What was to be moved has been launched meanwhile, or is not in the queue any more. */
  | { why: 'launched' | 'gone'; ordering: Ordering }
  /** `said`: what the service gave as its reason, where it gave any. */
  | { why: 'unanswered'; ordering: Ordering; said?: string | undefined }
  | { why: 'refused'; ordering: Ordering; error: Error }

/** What an order that was not made comes to, of which nobody has to be told. */
type Settled =
  /** Entries came, went or were launched: it goes out again on top of that, for it is still what was meant. */
  | { why: 'resend'; ordering: Ordering }
  /** Somebody else has just made the same one. */
  | { why: 'done' }

export function judge(ordering: Ordering, error: unknown): Hindrance | Settled {
  if (isUnanswered(error)) return { why: 'unanswered', ordering, said: saidBy(error)?.message }
  const shown = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof RefusedError) || error.code !== 'order_conflict') {
    return { why: 'refused', ordering, error: shown }
  }
  // the details of this refusal are described with the call, and have no type of their own
  const details = (error.details ?? {}) as Partial<Standing>
  const { currentOrder, inFlightEntryId = null, revision } = details
  if (currentOrder === undefined || revision === undefined) {
    return { why: 'refused', ordering, error }
  }
  const standing = { currentOrder, inFlightEntryId, revision }
  const verdict = judgeOrder(moveOf(ordering), currentOrder)
  if (verdict === 'gone') return { why: 'gone', ordering }
  if (inFlightEntryId === ordering.moved.id) return { why: 'launched', ordering }
  if (verdict === 'done') return { why: 'done' }
  return verdict === 'resend'
    ? { why: 'resend', ordering: onto(ordering, standing) }
    : { why: 'ordered', ordering, standing }
}

/** The next try, once a person has said that it is to be made all the same; undefined where it cannot be. */
export function nextTry(hindrance: Hindrance): Ordering | undefined {
  const { ordering } = hindrance
  switch (hindrance.why) {
    case 'ordered':
      return onto(ordering, hindrance.standing)
    // it may have been made: as it was and under its key it is made once
    case 'unanswered':
      return ordering
    case 'refused':
      return { ...ordering, key: newKey() }
    case 'launched':
    case 'gone':
      return undefined
  }
}

/** The same move in the queue as it stands now, and past nothing that runs. */
function onto(ordering: Ordering, { currentOrder, inFlightEntryId, revision }: Standing): Ordering {
  const others = currentOrder.filter((id) => id !== inFlightEntryId)
  return {
    ...ordering,
    before: currentOrder,
    wanted: withOrder(currentOrder, movedAmong(moveOf(ordering), others)),
    expectedRevision: revision,
    key: newKey(),
  }
}

const moveOf = ({ moved, before, wanted }: Ordering) => ({ moved: moved.id, before, wanted })
