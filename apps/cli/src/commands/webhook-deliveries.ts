import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { momentOf } from '../moment.ts'
import { type PageOptions, cursorOption, pageOf, pageSize, sayMore } from '../output/more.ts'

export const webhookArgument = ['<webhook>', 'its UUID, as svc webhooks list shows it'] as const
export const exampleId = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10'
const exampleDelivery = '0190c9a2-8f20-7a31-b6c4-2d7e9a1c5f08'

/** What was sent to a webhook, and what is to be sent to it after all. */
export function defineDeliveries(command: Command, cli: Cli): void {
  command
    .command('deliveries')
    .description('show the delivery log, or the attempts of one delivery')
    .argument(...webhookArgument)
    .argument('[delivery]', 'its UUID')
    .option('--state <state>', 'pending, delivered, failed, held or canceled')
    .option('--since <time>', 'made at this time or later: 2027-01-31, or 2h, 3d for so long ago')
    .option('--limit <number>', 'how many', pageSize)
    .option(...cursorOption)
    .addHelpText('after', `\nExamples:\n  svc webhooks deliveries ${exampleId} --state failed`)
    .action((id: string, delivery: string | undefined, options: LogOptions) =>
      delivery === undefined ? listDeliveries(cli, id, options) : showDelivery(cli, id, delivery),
    )
  command
    .command('recover')
    .description('send what is held and, from a moment on, what has failed')
    .argument(...webhookArgument)
    .option('--since <time>', 'also what has failed since: 2027-01-31, or 2h, 3d for so long ago')
    .option('--dry-run', 'count what would be sent, and send nothing')
    .addHelpText(
      'after',
      `\nExamples:\n  svc webhooks recover ${exampleId}\n  svc webhooks recover ${exampleId} --since 2d --dry-run`,
    )
    .action((id: string, options: RecoverOptions) => recover(cli, id, options))
  command
    .command('resend')
    .description(
      'send one delivery again, or now where it waits for its retry, under the id that it has',
    )
    .argument(...webhookArgument)
    .argument('<delivery>', 'its UUID, as svc webhooks deliveries shows it')
    .addHelpText('after', `\nExamples:\n  svc webhooks resend ${exampleId} ${exampleDelivery}`)
    .action((id: string, delivery: string) => resend(cli, id, delivery))
}

interface LogOptions extends PageOptions {
  state?: string
  since?: string
}

async function listDeliveries(
  cli: Cli,
  id: string,
  { state, since, ...page }: LogOptions,
): Promise<void> {
  type State = RouteRequest<'listWebhookDeliveries'>['state']
  const answer = await (
    await openClient(cli)
  ).call('listWebhookDeliveries', {
    id,
    ...pageOf(page),
    // The service knows the states and names what it does not know.
    ...(state !== undefined && { state: state as State }),
    ...(since !== undefined && { since: momentOf(since) }),
  })
  const { table } = await import('../output/table.ts')
  const rows = answer.deliveries.map((delivery) => [
    delivery.id,
    delivery.type,
    delivery.mode,
    delivery.state,
    delivery.attempts,
    delivery.nextAttemptAt,
    delivery.createdAt,
  ])
  const columns = ['DELIVERY', 'EVENT', 'MODE', 'STATE', 'ATTEMPTS', 'NEXT', 'CREATED']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  sayMore(cli, answer)
}

async function showDelivery(cli: Cli, id: string, deliveryId: string): Promise<void> {
  const answer = await (await openClient(cli)).call('getWebhookDelivery', { id, deliveryId })
  const { table } = await import('../output/table.ts')
  const rows = answer.attempts.map((attempt) => [
    attempt.trigger === 'schedule' ? attempt.attempt : attempt.trigger,
    attempt.mode,
    attempt.outcome,
    attempt.error ?? attempt.status,
    attempt.durationMs,
    attempt.endedAt,
    attempt.responseBody,
  ])
  const columns = ['ATTEMPT', 'MODE', 'OUTCOME', 'RESULT', 'MS', 'ENDED', 'ANSWER']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
}

interface RecoverOptions {
  since?: string
  dryRun?: true
}

/** The service takes a batch at a time. */
async function recover(cli: Cli, id: string, { since, dryRun }: RecoverOptions): Promise<void> {
  const client = await openClient(cli)
  const wanted = { id, ...(since !== undefined && { since: momentOf(since) }) }
  if (dryRun) {
    const { held, failed } = await client.call('recoverWebhook', { ...wanted, dryRun })
    return print(cli, { held, failed }, () => `would send ${held} held and ${failed} failed`)
  }
  let [recovered, resent, held] = [0, 0, 0]
  let cursor: string | undefined
  let isMore = true
  while (isMore) {
    const batch = await client.call('recoverWebhook', { ...wanted, ...(cursor && { cursor }) })
    recovered += batch.recovered
    resent += batch.resent
    held = batch.held
    cursor = batch.nextCursor
    isMore = cursor !== undefined || (batch.recovered > 0 && held > 0)
  }
  if (recovered + resent > 0) {
    say(cli, `See what comes of them with: svc webhooks deliveries ${id}`)
  }
  const again = since === undefined ? '' : `, sent ${resent} once more`
  await print(
    cli,
    { recovered, resent, held },
    () => `recovered ${recovered}${again}, still held ${held}`,
  )
}

async function resend(cli: Cli, id: string, deliveryId: string): Promise<void> {
  const answer = await (await openClient(cli)).call('resendWebhookDelivery', { id, deliveryId })
  say(cli, `It is sent once. See its outcome with: svc webhooks deliveries ${id} ${deliveryId}`)
  await print(cli, answer, () => `resending ${deliveryId}`)
}
