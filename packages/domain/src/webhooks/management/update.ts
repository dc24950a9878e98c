import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { refuseIfRevised } from '../../common/revision.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { projectIdOf } from './create.ts'
import { askEndpoint } from './endpoint.ts'
import { lockSubscription } from './queries.ts'
import { auditOf, viewSubscription } from './views.ts'
import { changeSubscription } from './change.ts'

export async function updateWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateWebhook'>,
): Promise<RouteOutput<'updateWebhook'>> {
  authorize(actor, 'webhook:update')
  const endpointOf =
    input.endpointUrl === undefined
      ? undefined
      : await askEndpoint(context.domain, actor, input.endpointUrl)
  return inTransaction(context, async (tx) => {
    const endpointUrl = endpointOf?.()
    const subscription = await lockSubscription(tx, actor, input.id)
    refuseIfRevised(subscription.revision, input.expectedRevision, () => ({
      webhook: viewSubscription(subscription),
    }))
    const changed = await changeSubscription(
      tx,
      subscription,
      {
        name: input.name ?? subscription.name,
        endpoint_url: endpointUrl ?? subscription.endpoint_url,
        event_types: input.eventTypes ?? subscription.event_types,
        payload_mode: input.payloadMode ?? subscription.payload_mode,
        ...(input.projectId !== undefined && {
          project_id: await projectIdOf(tx, actor, input.projectId),
        }),
      },
      'update',
    )
    const facts = auditOf('webhook.changed', changed)
    const details = { ...facts.details, before: auditOf('webhook.changed', subscription).details }
    recordAudit(tx, context, actor, { ...facts, details })
    return { webhook: viewSubscription(changed) }
  })
}
