import type { RouteInput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { lockSubscription } from './queries.ts'
import { changeSubscription } from './change.ts'
import { auditOf } from './views.ts'

/** Its secret is gone at once; what still waits is canceled when it comes due. */
export async function deleteWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'deleteWebhook'>,
): Promise<undefined> {
  authorize(actor, 'webhook:delete')
  return inTransaction(context, async (tx) => {
    const subscription = await lockSubscription(tx, actor, input.id)
    const deleted = await changeSubscription(
      tx,
      subscription,
      {
        deleted_at: sql<Date>`app.now()`,
        secret_ciphertext: null,
      },
      'delete',
    )
    recordAudit(tx, context, actor, auditOf('webhook.deleted', deleted))
    return undefined
  })
}
