import { builtInEventTypes } from '@svc/contracts/events'
import { limits } from '@svc/contracts/limits'
import type { RouteRequest } from '@svc/contracts/rest'
import {
  PayloadMode,
  type WebhookSubscription,
  defaultPayloadMode,
} from '@svc/contracts/webhook-subscription'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { oneOf, someOf } from '../choices.ts'
import { defineDeliveries, exampleId, webhookArgument } from './webhook-deliveries.ts'
import { defineListen } from './webhook-listen.ts'

type CreateInput = RouteRequest<'createWebhook'>
type UpdateInput = RouteRequest<'updateWebhook'>

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc webhooks list\n  svc webhooks create "Chat" --endpoint https://example.com/hook --event mission.delivered',
  )
  defineReads(command, cli)
  defineChanges(command, cli)
  defineSwitches(command, cli)
  defineDeliveries(command, cli)
  defineListen(command, cli)
}

function defineReads(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the webhooks of the workspace')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText('after', '\nExamples:\n  svc webhooks list')
    .action((options: PageOptions) => list(cli, options))
  command
    .command('show')
    .description('show a webhook; its secret is never shown again')
    .argument(...webhookArgument)
    .addHelpText('after', `\nExamples:\n  svc webhooks show ${exampleId}`)
    .action((id: string) => show(cli, id))
}

function defineChanges(command: Command, cli: Cli): void {
  command
    .command('check')
    .description('say whether an address would be taken, without sending anything to it')
    .argument('<url>', 'where events would be posted to')
    .addHelpText('after', '\nExamples:\n  svc webhooks check https://example.com/hook')
    .action((url: string) => check(cli, url))
  command
    .command('create')
    .description('create a webhook and print its secret, once')
    .argument('<name>')
    .requiredOption('--endpoint <url>', 'where events are posted to')
    .addOption(someOf('--event <type>', 'or one of your own; may be repeated', builtInEventTypes))
    .option('--project <project>', 'only events of this project')
    .addOption(
      oneOf('--mode <mode>', 'how much its payloads hold', PayloadMode.options, defaultPayloadMode),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  svc webhooks create "Chat" --endpoint https://example.com/hook --event mission.delivered --event objective.completed',
    )
    .action((name: string, options: CreateOptions) => create(cli, name, options))
  command
    .command('update')
    .description('change a webhook')
    .argument(...webhookArgument)
    .option('--name <name>')
    .option('--endpoint <url>', 'where events are posted to')
    .addOption(
      someOf('--event <type>', 'in place of the present ones; may be repeated', builtInEventTypes),
    )
    .option('--project <project>', 'only events of this project')
    .option('--all-projects', 'events of every project')
    .addOption(oneOf('--mode <mode>', 'how much its payloads hold', PayloadMode.options))
    .addHelpText('after', `\nExamples:\n  svc webhooks update ${exampleId} --mode full`)
    .action((id: string, options: UpdateOptions) => update(cli, id, options))
  command
    .command('delete')
    .description('delete a webhook; what still waits is not sent')
    .argument(...webhookArgument)
    .addHelpText('after', `\nExamples:\n  svc webhooks delete ${exampleId}`)
    .action((id: string) => remove(cli, id))
}

function defineSwitches(command: Command, cli: Cli): void {
  const switches = [
    [
      'enable',
      'send to it again, and say how many deliveries are held',
      (id: string) => enable(cli, id),
    ],
    ['disable', 'send nothing to it for now; events are held', (id: string) => disable(cli, id)],
    [
      'rotate-secret',
      'print a new secret, once; the old one is dead',
      (id: string) => rotate(cli, id),
    ],
    ['test', 'send webhook.ping now and show what came back', (id: string) => sendTest(cli, id)],
  ] as const
  for (const [name, description, action] of switches) {
    command
      .command(name)
      .description(description)
      .argument(...webhookArgument)
      .addHelpText('after', `\nExamples:\n  svc webhooks ${name} ${exampleId}`)
      .action(action)
  }
}

async function list(cli: Cli, page: PageOptions): Promise<void> {
  const answer = await (await openClient(cli)).call('listWebhooks', pageOf(page))
  const { table } = await import('../output/table.ts')
  const rows = answer.webhooks.map((webhook) => [
    webhook.id,
    webhook.name,
    webhook.endpointUrl,
    webhook.eventTypes.join(' '),
    webhook.payloadMode,
    stateOf(webhook),
  ])
  const columns = ['WEBHOOK', 'NAME', 'URL', 'EVENTS', 'MODE', 'STATE']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  sayMore(cli, answer)
}

function stateOf({ disabledReason, consecutiveFailures }: WebhookSubscription): string {
  if (disabledReason !== null) return `disabled (${disabledReason})`
  if (consecutiveFailures === 0) return 'enabled'
  const { webhookFailuresUntilWarning, webhookFailuresUntilDisabled } = limits
  const isWarned = consecutiveFailures >= webhookFailuresUntilWarning
  const ahead = isWarned ? `; at ${webhookFailuresUntilDisabled} it is disabled` : ''
  return `enabled, ${consecutiveFailures} failed in a row${ahead}`
}

async function show(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('getWebhook', { id })
  await print(cli, answer, () => describe(cli, answer.webhook))
}

async function describe(cli: Cli, webhook: WebhookSubscription): Promise<string> {
  const { details } = await import('../output/table.ts')
  const fields = {
    webhook: webhook.id,
    name: webhook.name,
    url: webhook.endpointUrl,
    events: webhook.eventTypes.join(' '),
    project: webhook.projectId ?? 'all',
    mode: webhook.payloadMode,
    state: stateOf(webhook),
    revision: webhook.revision,
  }
  return details(fields, cli.stdout)
}

/** A refusal is what was asked for, and no failure of the command. */
async function check(cli: Cli, endpointUrl: string): Promise<void> {
  const answer = await (await openClient(cli)).call('checkEndpoint', { endpointUrl })
  const { details } = await import('../output/table.ts')
  const { refusal, isListed, endpointUrl: kept } = answer.endpoint
  const fields = {
    url: kept ?? endpointUrl,
    taken: refusal ? 'no' : 'yes',
    why: refusal?.message,
    'on the list of the operator': isListed ? 'yes' : 'no',
  }
  await print(cli, answer, () => details(fields, cli.stdout))
}

interface CreateOptions {
  endpoint: string
  event: string[]
  project?: string
  mode: string
}

async function create(cli: Cli, name: string, options: CreateOptions): Promise<void> {
  const { endpoint, event, project, mode } = options
  const answer = await (
    await openClient(cli)
  ).call('createWebhook', {
    name,
    endpointUrl: endpoint,
    // The service knows event types and modes and names what it does not know.
    eventTypes: event as CreateInput['eventTypes'],
    payloadMode: mode as CreateInput['payloadMode'],
    ...(project !== undefined && { projectId: project }),
  })
  say(cli, `Created ${answer.webhook.id}. Its secret is shown this once: give it to the receiver.`)
  await print(cli, answer, () => answer.secret)
}

interface UpdateOptions {
  name?: string
  endpoint?: string
  event: string[]
  project?: string
  allProjects?: true
  mode?: string
}

async function update(cli: Cli, id: string, options: UpdateOptions): Promise<void> {
  const { name, endpoint, event, project, allProjects, mode } = options
  const client = await openClient(cli)
  const { webhook } = await client.call('getWebhook', { id })
  const answer = await client.call('updateWebhook', {
    id,
    expectedRevision: webhook.revision,
    ...(name !== undefined && { name }),
    ...(endpoint !== undefined && { endpointUrl: endpoint }),
    // As above.
    ...(event.length > 0 && { eventTypes: event as UpdateInput['eventTypes'] }),
    ...(mode !== undefined && { payloadMode: mode as UpdateInput['payloadMode'] }),
    ...(allProjects && { projectId: null }),
    ...(project !== undefined && { projectId: project }),
  })
  await print(cli, answer, () => describe(cli, answer.webhook))
}

async function remove(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('deleteWebhook', { id })
  await print(cli, { deleted: id }, () => `deleted ${id}`)
}

async function enable(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('enableWebhook', { id })
  if (answer.held > 0) {
    say(cli, `Deliveries held: ${answer.held}. Send them with: svc webhooks recover ${id}`)
  }
  await print(cli, answer, () => describe(cli, answer.webhook))
}

async function disable(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('disableWebhook', { id })
  await print(cli, answer, () => describe(cli, answer.webhook))
}

async function rotate(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('rotateWebhookSecret', { id })
  say(cli, 'It is shown this once; the old one signs nothing any more.')
  await print(cli, answer, () => answer.secret)
}

async function sendTest(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('testWebhook', { id })
  const [attempt] = answer.attempts
  const { details } = await import('../output/table.ts')
  const fields = {
    delivery: answer.delivery.id,
    outcome: attempt?.error ?? answer.delivery.state,
    status: attempt?.status,
    milliseconds: attempt?.durationMs,
    answer: attempt?.responseBody,
  }
  await print(cli, answer, () => details(fields, cli.stdout))
}
