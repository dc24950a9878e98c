import type { WebhookDelivery } from '@svc/contracts/webhook-subscription'
import { useSyncExternalStore } from 'react'
import { type Action, useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { tick } from '../../ui/tick.ts'
import { pingType } from './form.ts'
import { useRereadLog } from './use-follow-log.ts'
import { toast } from '../../ui/toast-store.ts'

type Told = Pick<WebhookDelivery, 'type' | 'state' | 'nextAttemptAt'>

/**
 * How a person has it sent: once more where its schedule is done with it, and now where it waits for its next try. A test is
 * made anew, and what is on its way needs nobody.
 */
function wayToSend({ type, state, nextAttemptAt }: Told, now: number): 'again' | 'now' | undefined {
  if (type === pingType) return undefined
  if (state !== 'pending') return 'again'
  return nextAttemptAt !== null && new Date(nextAttemptAt).getTime() > now ? 'now' : undefined
}

/** The same as time goes on; nothing where somebody may not. */
export function useWayToSend(delivery: Told): ReturnType<typeof wayToSend> {
  const { rights } = useWorkspace()
  const way = useSyncExternalStore(tick.subscribe, () => wayToSend(delivery, tick.get()))
  return rights.mayCall('resendWebhookDelivery') ? way : undefined
}

export function useResend(way: 'again' | 'now' = 'again'): Action<'resendWebhookDelivery'> {
  const reread = useRereadLog()
  return useAction('resendWebhookDelivery', {
    onDone: ({ delivery }) => {
      toast(`${delivery.type} is sent ${way}`)
      reread()
    },
  })
}
