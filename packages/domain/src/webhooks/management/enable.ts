import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { askEndpoint } from './endpoint.ts'
import { countHeld, lockSubscription, requireSubscription } from './queries.ts'
import { auditOf, viewSubscription } from './views.ts'
import { changeSubscription } from './change.ts'

/**
 * Counting starts anew: what failed before says nothing any more. Nothing happens to one that is enabled. What is held
 * stays so until it is recovered.
 */
export async function enableWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'enableWebhook'>,
): Promise<RouteOutput<'enableWebhook'>> {
  authorize(actor, 'webhook:update')
  const { endpoint_url } = await requireSubscription(context.domain.db, actor, input.id)
  const endpointOf = await askEndpoint(context.domain, actor, endpoint_url)
  return inTransaction(context, async (tx) => {
    endpointOf()
    const subscription = await lockSubscription(tx, actor, input.id)
    const held = await countHeld(tx, subscription)
    if (subscription.disabled_at === null) return { webhook: viewSubscription(subscription), held }
    const changed = await changeSubscription(
      tx,
      subscription,
      {
        disabled_at: null,
        disabled_reason: null,
        consecutive_failures: 0,
        warned: false,
        epoch: subscription.epoch + 1,
      },
      'enable',
    )
    recordAudit(tx, context, actor, auditOf('webhook.enabled', changed))
    return { webhook: viewSubscription(changed), held }
  })
}
