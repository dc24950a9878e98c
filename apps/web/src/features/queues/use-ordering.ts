import { newKey } from '@svc/client/new-key'
import { useEffect, useRef, useState } from 'react'
import { patience } from '../../data/connection.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { withOrder } from '../../parts/order/judge-order.ts'
import { announce, announceRefusal } from '../../ui/announce.ts'
import { type Change, withEntries, withQueue } from './changes.ts'
import { type Hindrance, type Ordering, judge, nextTry } from './ordering.ts'
import type { Queue } from './reads.ts'

interface OrderingParts {
  keep: (change: Change) => void
  foresee: (change: Change, call: () => Promise<void>) => void
  /** Reads the queues again. */
  reread: () => void
}

export interface OrderingQueues {
  /** Of those of its entries that do not run. */
  order: (queue: Queue, ids: readonly string[], movedId: string) => void
  /** What keeps entries from being moved: of each queue the last try. */
  hindrances: readonly Hindrance[]
  again: (hindrance: Hindrance) => void
  dismiss: (hindrance: Hindrance) => void
  /** Who put a queue in order last, as far as it was heard here. */
  lastBy: ReadonlyMap<string, string>
}

/** So often entries may come and go between a move and its answer. */
const mostResends = 3

/** Puts queues in order: shown at once, and taken back by a refusal, which says why. */
export function useOrdering({ keep, foresee, reread }: OrderingParts): OrderingQueues {
  const { service } = useWorkspace()
  const [hindrances, setHindrances] = useState<readonly Hindrance[]>([])
  const lastBy = useOrderedByOthers()
  const dismiss = ({ ordering }: Pick<Hindrance, 'ordering'>) =>
    setHindrances((all) => all.filter((one) => one.ordering.queue.id !== ordering.queue.id))
  const hinder = (hindrance: Hindrance) => {
    dismiss(hindrance)
    setHindrances((all) => [...all, hindrance])
    if (hindrance.why === 'refused') announceRefusal(hindrance.error.message)
    // also where no feed tells of what others have done
    reread()
  }
  const send = async (ordering: Ordering, left = mostResends): Promise<void> => {
    const { queue, wanted, expectedRevision, key } = ordering
    const options = { idempotencyKey: key, retry: patience }
    const request = { id: queue.id, orderedEntryIds: [...wanted], expectedRevision }
    try {
      const answer = await service.call('orderRunQueueEntries', request, options)
      keep(withQueue(answer.queue))
    } catch (error) {
      const judged = judge(ordering, error)
      if (judged.why === 'done') return reread()
      if (judged.why !== 'resend') return hinder(judged)
      if (left > 0) return send(judged.ordering, left - 1)
      hinder({ why: 'unanswered', ordering: judged.ordering })
    }
  }
  const begin = (ordering: Ordering) => {
    dismiss({ ordering })
    foresee(withEntries(ordering.queue.id, ordering.wanted), () => send(ordering))
  }
  return {
    hindrances,
    lastBy,
    dismiss,
    order: (queue, ids, movedId) => {
      const moved = queue.entries.find(({ id }) => id === movedId)
      if (moved === undefined) return
      const before = queue.entries.map(({ id }) => id)
      announce(`Place ${ids.indexOf(movedId) + 1} of ${ids.length} that do not run`)
      begin({
        queue: { id: queue.id, name: queue.name },
        moved: { id: moved.id, displayId: moved.displayId },
        before,
        wanted: withOrder(before, ids),
        expectedRevision: queue.revision,
        key: newKey(),
      })
    },
    again: (hindrance) => {
      const next = nextTry(hindrance)
      if (next) begin(next)
    },
  }
}

/** Says who puts a queue in another order, and keeps the name for whoever is refused because of it. */
function useOrderedByOthers(): ReadonlyMap<string, string> {
  const { listen, me } = useWorkspace()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const own = useRef(me.user.id)
  useEffect(
    () =>
      listen((news) => {
        if (news.type !== 'change') return
        const { entity, entityId, operation, data } = news.change
        if (entity !== 'run_queue' || operation !== 'order') return
        const { byId, byName, name } = data
        if (typeof byName !== 'string' || typeof name !== 'string') return
        const who = byId === own.current ? 'You, in another window,' : byName
        setNames((known) => new Map(known).set(entityId, who))
        if (byId !== own.current) announce(`${byName} has put the queue ${name} in order`)
      }),
    [listen],
  )
  return names
}
