import type { Tx } from '@svc/db/database'
import type { WebhookSubscriptionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { limits } from '@svc/contracts/limits'
import { appPages } from '@svc/contracts/links'
import { recordChange } from '../../commit/records.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'
import { byKey } from '../../common/by-key.ts'
import { notifyAdmins } from '../../notifications/notify-admins.ts'
import type { Move } from './moves.ts'

const {
  webhookFailuresUntilWarning: failuresUntilWarning,
  webhookFailuresUntilDisabled: failuresUntilDisabled,
} = limits

/**
 * Deliveries that used up their attempts count, one that arrived resets. The row's lock orders those that end at the
 * same time. spec: Limits, row Auto-disable.
 */
export async function countFailures(tx: UnitOfWork, moves: readonly Move[]): Promise<void> {
  const ends = moves.filter((move) => move.counts)
  const subscriptions = await lockCounted(tx, ends)
  for (const subscription of subscriptions) {
    const own = ends.filter((move) => move.attempt.subscriptionId === subscription.id)
    await store(tx, subscription, own.reduce(countOne, stateOf(subscription)))
  }
}

/** A success at a counter of zero changes nothing and locks nothing. In order of id, against deadlocks. */
async function lockCounted(tx: Tx, ends: readonly Move[]): Promise<WebhookSubscriptionRow[]> {
  if (ends.length === 0) return []
  const keys = ends.map(({ attempt }) => ({
    workspace_id: attempt.workspaceId,
    id: attempt.subscriptionId,
  }))
  const failed = ends.filter((move) => move.state === 'failed')
  const where = sql`t.deleted_at is null and (t.consecutive_failures > 0
    or t.id = any(${failed.map((move) => move.attempt.subscriptionId)}::uuid[]))`
  const { rows } = await sql<WebhookSubscriptionRow>`
    select * from ${byKey('webhook_subscriptions', keys, { where, lock: sql`for no key update` })} s`.execute(
    tx,
  )
  return rows
}

interface Counter {
  failures: number
  epoch: number
  warned: boolean
  disabled: boolean
  notices: ('warning' | 'recovered' | 'disabled')[]
}

function stateOf(subscription: WebhookSubscriptionRow): Counter {
  return {
    failures: subscription.consecutive_failures,
    epoch: subscription.epoch,
    warned: subscription.warned,
    disabled: subscription.disabled_at !== null,
    notices: [],
  }
}

function countOne(counter: Counter, { state, attempt }: Move): Counter {
  if (state === 'delivered') {
    const notices =
      counter.warned && !counter.disabled
        ? [...counter.notices, 'recovered' as const]
        : counter.notices
    return { ...counter, failures: 0, warned: false, notices }
  }
  // a failure from before it was enabled again says nothing of it now
  if (attempt.epoch !== counter.epoch) return counter
  const failures = counter.failures + 1
  const warns = failures === failuresUntilWarning && !counter.disabled
  const disables = failures === failuresUntilDisabled && !counter.disabled
  return {
    ...counter,
    failures,
    warned: counter.warned || warns,
    disabled: counter.disabled || disables,
    notices: [
      ...counter.notices,
      ...(warns ? (['warning'] as const) : []),
      ...(disables ? (['disabled'] as const) : []),
    ],
  }
}

async function store(
  tx: UnitOfWork,
  subscription: WebhookSubscriptionRow,
  counter: Counter,
): Promise<void> {
  const disables = counter.notices.includes('disabled')
  const revision = subscription.revision + (disables ? 1 : 0)
  await tx
    .updateTable('webhook_subscriptions')
    .set({
      consecutive_failures: counter.failures,
      warned: counter.warned,
      ...(disables && {
        disabled_at: sql<Date>`app.now()`,
        disabled_reason: 'failures' as const,
        revision,
        updated_at: sql<Date>`app.now()`,
      }),
    })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .execute()
  const operation = disables ? 'disable' : 'failures'
  recordChange(tx, { webhook: { ...subscription, revision } }, operation, {
    consecutiveFailures: counter.failures,
  })
  for (const kind of counter.notices) await notify(tx, subscription, kind)
}

const titles = {
  warning: (name: string) =>
    `Webhook "${name}": ${failuresUntilWarning} deliveries in a row failed; at ${failuresUntilDisabled} it is disabled`,
  recovered: (name: string) => `Webhook "${name}" takes deliveries again`,
  disabled: (name: string) =>
    `Webhook "${name}" was disabled after ${failuresUntilDisabled} failed deliveries in a row`,
}

/** One of a kind per epoch and admin, however often the counter passes the mark. */
async function notify(
  tx: Tx,
  { workspace_id, id, name, epoch }: WebhookSubscriptionRow,
  kind: keyof typeof titles,
): Promise<void> {
  await notifyAdmins(tx, workspace_id, {
    kind: `webhook.${kind}`,
    key: `webhook.${kind} ${id} ${epoch}`,
    title: titles[kind](name),
    page: appPages.webhook(id),
    next: {
      operation: kind === 'disabled' ? 'enableWebhook' : 'listWebhookDeliveries',
      params: { id },
    },
  })
}
