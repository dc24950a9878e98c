import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { lockSubscription } from './queries.ts'
import { auditOf, viewSubscription } from './views.ts'
import { changeSubscription } from './change.ts'

/** What is due from now on is held. */
export async function disableWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'disableWebhook'>,
): Promise<RouteOutput<'disableWebhook'>> {
  authorize(actor, 'webhook:update')
  return inTransaction(context, async (tx) => {
    const subscription = await lockSubscription(tx, actor, input.id)
    if (subscription.disabled_at !== null) return { webhook: viewSubscription(subscription) }
    const changed = await changeSubscription(
      tx,
      subscription,
      {
        disabled_at: sql<Date>`app.now()`,
        disabled_reason: 'manual',
      },
      'disable',
    )
    recordAudit(tx, context, actor, auditOf('webhook.disabled', changed))
    return { webhook: viewSubscription(changed) }
  })
}
