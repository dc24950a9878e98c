import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { Tables, WebhookSubscriptionRow } from '@svc/db/tables'
import { type UpdateObject, sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../actor.ts'
import { refuseIfRevised } from '../../missions/update.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { projectIdOf } from './create.ts'
import { checkEndpoint } from './endpoint.ts'
import { lockSubscription, requireSubscription } from './queries.ts'
import { newWebhookSecret, sealSecret } from '../secret.ts'
import { viewSubscription } from './views.ts'

async function change(
  tx: Tx,
  subscription: WebhookSubscriptionRow,
  set: UpdateObject<Tables, 'webhook_subscription'>,
): Promise<WebhookSubscriptionRow> {
  return tx
    .updateTable('webhook_subscription')
    .set({ ...set, revision: subscription.revision + 1, updated_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateWebhook'>,
): Promise<RouteOutput<'updateWebhook'>> {
  authorize(actor, 'webhook:update')
  const endpointUrl =
    input.endpointUrl === undefined
      ? undefined
      : await checkEndpoint(context.domain, input.endpointUrl)
  return inTransaction(context, async (tx) => {
    const subscription = await lockSubscription(tx, actor, input.id)
    refuseIfRevised(subscription.revision, input.expectedRevision)
    const changed = await change(tx, subscription, {
      name: input.name ?? subscription.name,
      endpoint_url: endpointUrl ?? subscription.endpoint_url,
      event_types: input.eventTypes ?? subscription.event_types,
      payload_mode: input.payloadMode ?? subscription.payload_mode,
      ...(input.projectId !== undefined && {
        project_id: await projectIdOf(tx, actor, input.projectId),
      }),
    })
    return { webhook: viewSubscription(changed) }
  })
}

/** Counting starts anew: what failed before says nothing any more. Nothing happens to one that is enabled. */
export async function enableWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'enableWebhook'>,
): Promise<RouteOutput<'enableWebhook'>> {
  authorize(actor, 'webhook:update')
  const { endpoint_url } = await requireSubscription(context.domain.db, actor, input.id)
  await checkEndpoint(context.domain, endpoint_url)
  return inTransaction(context, async (tx) => {
    const subscription = await lockSubscription(tx, actor, input.id)
    if (subscription.disabled_at === null) return { webhook: viewSubscription(subscription) }
    const changed = await change(tx, subscription, {
      disabled_at: null,
      disabled_reason: null,
      consecutive_failures: 0,
      warned: false,
      epoch: subscription.epoch + 1,
    })
    return { webhook: viewSubscription(changed) }
  })
}

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
    const changed = await change(tx, subscription, {
      disabled_at: sql<Date>`app.now()`,
      disabled_reason: 'manual',
    })
    return { webhook: viewSubscription(changed) }
  })
}

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
      const changed = await change(tx, subscription, {
        secret_ciphertext: sealSecret(context.domain.keys, subscription, secret),
      })
      return { webhook: viewSubscription(changed), secret }
    },
    { secretAnswer: true },
  )
}

/** Its secret is gone at once; what still waits is canceled when it comes due. */
export async function deleteWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'deleteWebhook'>,
): Promise<undefined> {
  authorize(actor, 'webhook:delete')
  return inTransaction(context, async (tx) => {
    const subscription = await lockSubscription(tx, actor, input.id)
    await change(tx, subscription, { deleted_at: sql<Date>`app.now()`, secret_ciphertext: null })
    return undefined
  })
}
