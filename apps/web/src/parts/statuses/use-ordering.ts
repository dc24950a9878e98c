import { startTransition, useOptimistic, useState } from 'react'
import { patience } from '../../data/connection.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { announce, announceRefusal } from '../../ui/announce.ts'
import { inOrder } from '../order/order.ts'
import { type Hindrance, type Ordering, judge, nextTry, orderingOf } from './ordering.ts'
import type { Statuses } from './reads.ts'
import { useKeepStatuses } from './use-keep-statuses.ts'

export interface OrderingStatuses {
  /** As they will stand, while an order is on its way. */
  shown: Statuses
  order: (ids: readonly string[], movedId: string) => void
  /** What keeps the last one from being moved. */
  hindrance: Hindrance | undefined
  again: () => void
  dismiss: () => void
}

/** So often other things of the project may change between a move and its answer. */
const mostResends = 3

/** Puts statuses in order: shown at once, and taken back by a refusal, which says why. */
export function useOrderingStatuses(known: Statuses): OrderingStatuses {
  const { service, queries } = useWorkspace()
  const keep = useKeepStatuses()
  const [hindrance, hinder] = useState<Hindrance>()
  const [shown, foresee] = useOptimistic(known, (now, wanted: readonly string[]) => ({
    ...now,
    statuses: inOrder(now.statuses, wanted),
  }))
  const { id } = known.project
  const reread = () => void queries.invalidateQueries({ queryKey: ['listProjectStatuses', { id }] })
  const send = async (ordering: Ordering, left = mostResends): Promise<void> => {
    const { wanted, expectedRevision, key } = ordering
    const options = { idempotencyKey: key, retry: patience }
    const request = { id, statusIds: [...wanted], expectedRevision }
    try {
      keep(await service.call('orderProjectStatuses', request, options))
    } catch (error) {
      const judged = judge(ordering, error)
      if (judged.why === 'done') return reread()
      if (judged.why !== 'resend') {
        hinder(judged)
        if (judged.why === 'refused') announceRefusal(judged.error.message)
        // also where no feed tells of what others have done
        return reread()
      }
      if (left > 0) return send(judged.ordering, left - 1)
      hinder({ why: 'unanswered', ordering: judged.ordering })
    }
  }
  const begin = (ordering: Ordering) => {
    hinder(undefined)
    startTransition(async () => {
      foresee(ordering.wanted)
      await send(ordering)
      // what was kept of the answer is drawn before what was foreseen is taken away
      await new Promise((resolve) => setTimeout(resolve))
    })
  }
  return {
    shown,
    hindrance,
    order: (ids, movedId) => {
      const moved = shown.statuses.find((status) => status.id === movedId)
      if (moved === undefined) return
      announce(`Place ${ids.indexOf(movedId) + 1} of ${ids.length}`)
      // on top of what is on its way already
      begin(orderingOf(shown, moved, ids))
    },
    again: () => {
      const next = hindrance && nextTry(hindrance)
      if (next) begin(next)
    },
    dismiss: () => hinder(undefined),
  }
}
