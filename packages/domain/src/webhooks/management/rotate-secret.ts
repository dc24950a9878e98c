import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { newWebhookSecret, sealSecret } from '../secret.ts'
import { lockSubscription } from './queries.ts'
import { auditOf, viewSubscription } from './views.ts'
import { changeSubscription } from './change.ts'

/** No attempt that starts after the commit is signed with the old one. */
export async function rotateWebhookSecret(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'rotateWebhookSecret'>,
): Promise<RouteOutput<'rotateWebhookSecret'>> {
  authorize(actor, 'webhook:update')
  return inTransaction(
    context,
    async (tx) => {
      const subscription = await lockSubscription(tx, actor, input.id)
      const secret = newWebhookSecret()
      const changed = await changeSubscription(
        tx,
        subscription,
        {
          secret_ciphertext: sealSecret(context.domain.keys, subscription, secret),
        },
        'rotate_secret',
      )
      recordAudit(tx, context, actor, auditOf('webhook.secret_rotated', changed))
      return { webhook: viewSubscription(changed), secret }
    },
    { secretAnswer: true },
  )
}
