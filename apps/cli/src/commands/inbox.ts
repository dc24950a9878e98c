import type { InboxItem, InboxMeans } from '@svc/contracts/inbox-item'
import type { RouteRequest } from '@svc/contracts/rest'
import { Priority } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { appendTo, oneOf } from '../choices.ts'
import { usageFailure } from '../output/failure.ts'
import { cursorOption, limitOption, sayMore } from '../output/more.ts'
import { withStep } from '../output/next-step.ts'
import { sanitize } from '../output/terminal.ts'
import { oneText } from '../structured-options.ts'
import { describeMission } from '../output/describe-mission.ts'

const exampleId = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10'
const itemArgument = ['<item>', 'its UUID, as svc inbox list shows it'] as const

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc inbox create "Rotate the logs"\n  svc inbox list',
  )
  defineReading(command, cli)
  defineWriting(command, cli)
  const switches = [
    ['done', 'mark an item as done', { done: true }],
    ['reopen', 'mark it as open again', { done: false }],
  ] as const
  for (const [name, description, change] of switches) {
    command
      .command(name)
      .description(description)
      .argument(...itemArgument)
      .addHelpText('after', `\nExamples:\n  svc inbox ${name} ${exampleId}`)
      .action((id: string) => update(cli, { id, ...change }))
  }
  command
    .command('delete')
    .description('delete an item for good; a mission made of it stays')
    .argument(...itemArgument)
    .addHelpText('after', `\nExamples:\n  svc inbox delete ${exampleId}`)
    .action((id: string) => remove(cli, id))
  command
    .command('turn')
    .description('turn an item into a mission; its text becomes the first objective')
    .argument(...itemArgument)
    .argument('<project>', 'slug or UUID')
    .option('--title <title>', 'of the mission, in place of that of the item')
    .option(
      '--objective <instruction>',
      'what is to be done, in place of its text; may be repeated',
      appendTo,
      [],
    )
    .addOption(oneOf('--priority <priority>', 'how urgent it is', Priority.options))
    .addHelpText(
      'after',
      `\nExamples:\n  svc inbox turn ${exampleId} web\n  svc inbox turn ${exampleId} web --title "Rotate the logs" --objective "Rotate them daily."`,
    )
    .action((id: string, projectId: string, options: TurnOptions) =>
      turn(cli, id, projectId, options),
    )
}

function defineReading(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list what you noted down, newest first; nobody else sees it')
    .option('--all', 'with what is done')
    .option('--turned', 'those that were turned into missions, alone')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText('after', '\nExamples:\n  svc inbox list\n  svc inbox list --all')
    .action((options: ListOptions) => list(cli, options))
  command
    .command('show')
    .description('show an item with its text')
    .argument(...itemArgument)
    .addHelpText('after', `\nExamples:\n  svc inbox show ${exampleId}`)
    .action((id: string) => show(cli, id))
}

function defineWriting(command: Command, cli: Cli): void {
  command
    .command('create')
    .description('note a task down, in no project and for nobody yet')
    .argument('<title>')
    .option('--text <text>', 'what is to be done')
    .option('--text-file <path>', 'the same from a file, - for stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  svc inbox create "Rotate the logs"\n  svc inbox create "Rotate the logs" --text-file note.md',
    )
    .action((title: string, options: TextOptions) => create(cli, title, options))
  command
    .command('edit')
    .description('change an item; an empty text clears it')
    .argument(...itemArgument)
    .option('--title <title>')
    .option('--text <text>', 'what is to be done')
    .option('--text-file <path>', 'the same from a file, - for stdin')
    .addHelpText('after', `\nExamples:\n  svc inbox edit ${exampleId} --title "Rotate all logs"`)
    .action((id: string, options: EditOptions) => edit(cli, id, options))
}

interface ListOptions {
  all?: true
  turned?: true
  limit: string
  cursor?: string
}

interface TextOptions {
  text?: string
  textFile?: string
}

interface EditOptions extends TextOptions {
  title?: string
}

interface TurnOptions {
  title?: string
  objective: string[]
  priority?: RouteRequest<'turnInboxItem'>['priority']
}

async function list(cli: Cli, { all, turned, ...page }: ListOptions): Promise<void> {
  if (all && turned) throw usageFailure('Choose one of --all and --turned.')
  const chosen = all ? 'all' : 'open'
  const state = turned ? 'turned' : chosen
  const answer = await (await openClient(cli)).call('listInboxItems', { ...page, state })
  const { table } = await import('../output/table.ts')
  const rows = answer.inboxItems.map((item) => [item.id, stateOf(item), item.createdAt, item.title])
  await print(cli, answer, () => table(['ITEM', 'STATE', 'NOTED', 'TITLE'], rows, cli.stdout))
  sayMore(cli, answer)
}

function stateOf({ mission, turned, doneAt }: InboxItem): string {
  if (mission) return mission.displayId
  if (turned) return 'turned'
  return doneAt === null ? 'open' : 'done'
}

async function show(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('getInboxItem', { id })
  await print(cli, answer, () => describe(cli, answer.inboxItem))
}

async function create(cli: Cli, title: string, options: TextOptions): Promise<void> {
  const text = await textOf(options)
  const order = { title, ...(text !== undefined && { text }) }
  const answer = await (await openClient(cli)).call('createInboxItem', order)
  await print(cli, answer, () => describe(cli, answer.inboxItem))
}

async function edit(cli: Cli, id: string, { title, ...options }: EditOptions): Promise<void> {
  const text = await textOf(options)
  if (title === undefined && text === undefined)
    throw usageFailure('Say what to change: --title, --text or --text-file.')
  await update(cli, {
    id,
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text: text === '' ? null : text }),
  })
}

function textOf({ text, textFile }: TextOptions): Promise<string | undefined> {
  return oneText(text, textFile, '--text', '--text-file')
}

async function update(cli: Cli, change: RouteRequest<'updateInboxItem'>): Promise<void> {
  const answer = await (await openClient(cli)).call('updateInboxItem', change)
  await print(cli, answer, () => describe(cli, answer.inboxItem))
}

async function remove(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('deleteInboxItem', { id })
  await print(cli, { deleted: id }, () => `deleted ${id}`)
}

async function turn(
  cli: Cli,
  id: string,
  projectId: string,
  { objective, ...options }: TurnOptions,
): Promise<void> {
  const objectives = objective.map((instruction) => ({ instruction }))
  const own = { ...options, ...(objectives.length > 0 && { objectives }) }
  const answer = await (await openClient(cli)).call('turnInboxItem', { id, projectId, ...own })
  await print(cli, answer, () => describeMission(cli, answer.mission, answer.objectives))
  if (answer.objectives.length > 0) return
  const params = { id: answer.mission.displayId }
  say(
    cli,
    withStep('It has no text to make an objective of.', { operation: 'addObjectives', params }),
  )
}

async function describe(cli: Cli, item: InboxItem): Promise<string> {
  const { details } = await import('../output/table.ts')
  const { id, title, text, notedBy, turned } = item
  const head = details(
    {
      item: id,
      title,
      state: stateOf(item),
      'noted by': notedBy && means(notedBy),
      'turned by': turned?.by ? means(turned.by) : undefined,
    },
    cli.stdout,
  )
  return text === null ? head : `${head}\n\n${sanitize(text)}`
}

function means({ source, tokenLabel }: InboxMeans): string {
  const what = { web: 'you, in a browser', api: 'you', mcp: 'an agent' }[source]
  return tokenLabel === null ? what : `${what}, with the token ${tokenLabel}`
}
