import type { BuiltInEventType, pingEventType } from '@svc/contracts/events'
import type {
  AttemptOutcome,
  AttemptTrigger,
  PayloadMode,
  WebhookDeliveryState,
  WebhookSubscription,
} from '@svc/contracts/webhook-subscription'
import { limits } from '../data/contracts.values.ts'
import { type Wording, as, disabledWords } from './states.ts'

// Each table has a row for each name of the contracts: a new one without its words does not compile.

export const deliveryWords: Readonly<Record<WebhookDeliveryState, Wording>> = {
  pending: as('◌', 'waits', 'busy', 'It is sent when its time comes.'),
  delivered: as('✓', 'delivered', 'good', 'Its receiver has taken it.'),
  failed: as('!', 'failed', 'bad', 'It was not taken, and is not tried again by itself.'),
  held: as('‖', 'held', 'waits', 'It is kept for 7 days, until somebody has it sent.'),
  canceled: as('✕', 'cancelled', 'quiet', 'It is not sent any more.'),
}

export const attemptWords: Readonly<Record<AttemptOutcome, Wording>> = {
  delivered: as('✓', 'taken', 'good', 'Its receiver has taken it.'),
  failed: as(
    '!',
    'failed',
    'bad',
    'Its receiver did not answer, or not with a status of 200 to 299.',
  ),
  not_sent: as('◌', 'not sent', 'waits', 'Something of the service kept it from being sent.'),
  unknown_outcome: as(
    '?',
    'not known',
    'waits',
    'It may have been sent: its process ended before an answer.',
  ),
  superseded: as('✕', 'came too late', 'quiet', 'Another try had taken its place by then.'),
}

export const triggerWords: Readonly<Record<AttemptTrigger, string>> = {
  schedule: 'It was sent by the schedule.',
  resend: 'A person had it sent again.',
  ping: 'A person asked for a test.',
}

export const payloadWords: Readonly<Record<PayloadMode, string>> = {
  thin: 'Ids and links alone: its receiver reads the rest from the service.',
  full: 'What happened as a whole, as far as its creator may read it.',
}

export const eventTypeWords: Readonly<Record<BuiltInEventType | typeof pingEventType, string>> = {
  'mission.delivered': 'An agent has delivered, for a person to look at.',
  'mission.status_changed': 'A mission has moved on its board.',
  'objective.completed': 'An objective is complete.',
  'mission.blocked': 'An agent asks what only a person can say.',
  'svc:awaiting_approval': 'An objective waits for a person to launch it.',
  'svc:run_failed': 'A run ended before its agent was at work, or without a delivery.',
  'svc:run_lost': 'Nothing was heard of an agent for too long.',
  'svc:run_cancelled': 'A run was called off.',
  'svc:queue_paused': 'A run queue launches nothing until it is let go on.',
  'webhook.ping': 'A test delivery, which comes without being chosen, too.',
}

type Told = Pick<WebhookSubscription, 'disabledReason' | 'disabledAt' | 'consecutiveFailures'>

/** From here on its admins are warned. */
export function isAboutToBeDisabled(
  webhook: Pick<Told, 'disabledAt' | 'consecutiveFailures'>,
): boolean {
  const { disabledAt, consecutiveFailures } = webhook
  return disabledAt === null && consecutiveFailures >= limits.webhookFailuresUntilWarning
}

/** How a webhook stands. */
export function wordsOfWebhook({ disabledAt, disabledReason, consecutiveFailures }: Told): Wording {
  if (disabledAt !== null) {
    const sentence = disabledWords[disabledReason ?? 'manual']
    return disabledReason === 'failures'
      ? as('!', 'disabled by failures', 'bad', sentence)
      : as('‖', 'disabled', 'waits', sentence)
  }
  if (consecutiveFailures > 0) {
    const tone = isAboutToBeDisabled({ disabledAt, consecutiveFailures }) ? 'bad' : 'waits'
    const sentence = `After ${limits.webhookFailuresUntilDisabled} in a row it is disabled.`
    return as('!', `${consecutiveFailures} failed in a row`, tone, sentence)
  }
  return as('✓', 'on', 'good', 'It is sent what happens.')
}

/** What becomes of a try that is due at that time; undefined where it is made then. */
export function duesOfTry(
  { at, disabledAt }: { at: string; disabledAt: string | null | undefined },
  now: number,
): string | undefined {
  if (disabledAt != null) return 'Its webhook is disabled, so it is held in place of its next try.'
  return new Date(at).getTime() <= now ? 'It is sent now.' : undefined
}

/** What is done with a webhook whose deliveries fail. */
export function describeDisabling(): string {
  const { webhookFailuresUntilDisabled: most, webhookFailuresUntilWarning: many } = limits
  return `After ${most} failed deliveries in a row it is disabled, and its admins are warned from ${many} on.`
}
