import type { WebhookDelivery } from '@svc/contracts/webhook-subscription'
import { type Action, useAction } from '../../data/actions.ts'
import { pingType } from './form.ts'
import { useRereadLog } from './use-follow-log.ts'
import { toast } from '../../ui/toast-store.ts'

/** A test is made anew, and what waits is sent by itself. */
export function mayBeResent({ type, state }: Pick<WebhookDelivery, 'type' | 'state'>): boolean {
  return type !== pingType && state !== 'pending'
}

/** One try outside of the schedule. */
export function useResend(): Action<'resendWebhookDelivery'> {
  const reread = useRereadLog()
  return useAction('resendWebhookDelivery', {
    onDone: ({ delivery }) => {
      toast(`${delivery.type} is sent again`)
      reread()
    },
  })
}
