import type { FeedChange } from '@svc/contracts/feed'
import type { WebhookDelivery, WebhookSubscription } from '@svc/contracts/webhook-subscription'

/** A try is made about a second after it is due, and may take ten. */
const whileSentMs = 1_500

/** What nothing has become of is looked at more and more seldom: whatever sends may be stopped. */
const mostDoublings = 5

/** After which time to look what has become of these, after so many looks at just these; undefined where nothing is sent by itself. */
export function nextLookMs(
  deliveries: readonly Pick<WebhookDelivery, 'state' | 'nextAttemptAt'>[],
  now: number,
  looks = 0,
): number | undefined {
  const waits = deliveries.flatMap(({ state, nextAttemptAt }) => {
    if (state !== 'pending') return []
    return nextAttemptAt === null ? [0] : [new Date(nextAttemptAt).getTime() - now]
  })
  return waits.length === 0
    ? undefined
    : Math.max(0, Math.min(...waits)) + whileSentMs * 2 ** Math.min(looks, mostDoublings)
}

/** What events are made of; the feed tells of these, and of no delivery. */
const sources: ReadonlySet<string> = new Set([
  'mission',
  'objective',
  'delivery',
  'execution_request',
  'agent_session',
  'question',
  'run_queue',
  'mission_event',
])

/** Whether the change may be an event that the webhook is sent. */
export function mayBeSent(
  { projectId: wanted }: Pick<WebhookSubscription, 'projectId'>,
  { entity, projectId }: Pick<FeedChange, 'entity' | 'projectId'>,
): boolean {
  return sources.has(entity) && (wanted === null || wanted === projectId)
}
