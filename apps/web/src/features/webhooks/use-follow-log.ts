import type { WebhookDelivery, WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { mayBeSent, nextLookMs } from './follow.ts'

/** Between what happens and its delivery, the outbox is looked into about once a second. */
const afterMs = 2_500

/** Reads again all that is shown of deliveries: what was done here concerns them. */
export function useRereadLog(): () => void {
  const { queries } = useWorkspace()
  return useCallback(() => {
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] === 'listWebhookDeliveries' || queryKey[0] === 'getWebhookDelivery',
    })
  }, [queries])
}

/** Deliveries are not told by the feed: they are read again when one of them is due, and while it is sent. */
export function useFollowSent(shown: readonly WebhookDelivery[]): void {
  const reread = useRereadLog()
  const [looks, look] = useReducer((count: number) => count + 1, 0)
  const begun = useRef({ shown, looks })
  useEffect(() => {
    if (begun.current.shown !== shown) begun.current = { shown, looks }
    const wait = nextLookMs(shown, Date.now(), looks - begun.current.looks)
    if (wait === undefined) return
    const timer = setTimeout(() => {
      reread()
      look()
    }, wait)
    return () => clearTimeout(timer)
  }, [shown, looks, reread])
}

/** And some time after something has happened that may become one of them; never because time alone has passed. */
export function useFollowLog(webhook: WebhookSubscription, isWanted: boolean): void {
  const { listen } = useWorkspace()
  const reread = useRereadLog()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (!isWanted) return
    const leave = listen((news) => {
      if (news.type !== 'change' || !mayBeSent(webhook, news.change)) return
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        reread()
      }, afterMs)
    })
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
      leave()
    }
  }, [listen, reread, webhook, isWanted])
}
