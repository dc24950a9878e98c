import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { channels } from '../../jobs/wake-hub.ts'
import type { UseCase } from '../../use-case.ts'
import { queueNow } from '../sending/queue-now.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'
import { countHeld, requireEnabled } from './queries.ts'
import { wakeAfterCommit } from '../../commit/unit-of-work.ts'

const batch = 500

/**
 * What is held goes on by its schedule, the oldest first. One call takes a batch and says how many are left for the
 * next. Decision 60.
 */
export async function recoverWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'recoverWebhook'>,
): Promise<RouteOutput<'recoverWebhook'>> {
  authorize(actor, 'webhook:update')
  return inTransaction(context, async (tx) => {
    const subscription = await requireEnabled(tx, actor, input.id)
    // what another call recovers, or the sweep gives up, at this moment is theirs
    const held = await tx
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('workspace_id', '=', subscription.workspace_id)
      .where('subscription_id', '=', subscription.id)
      .where(sql<boolean>`state = 'held'`)
      .orderBy('id')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute()
    const { epoch } = subscription
    const recovered = held.map((delivery) => ({ ...delivery, epoch }))
    await queueNow(tx, context.domain, recovered, defaultTiming)
    wakeAfterCommit(tx, channels.deliveries)
    return { recovered: held.length, held: await countHeld(tx, subscription) }
  })
}
