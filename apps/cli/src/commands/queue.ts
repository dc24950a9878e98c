import type { Client } from '@svc/client/client'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { describeQueue, describeQueues } from '../output/queue.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { type Queue, findQueue, requireEntry } from '../queue-ref.ts'

const objectiveArgument = ['<objective>', 'display id or UUID'] as const
const projectArgument = ['<project>', 'slug or UUID'] as const
const queueArgument = ['[queue]', 'name or id; the default queue when left out'] as const

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc queue list web\n  svc queue add web:12.k7qd\n  svc queue start web',
  )
  command
    .command('list')
    .description('show the queues of a project, and why each entry waits')
    .argument(...projectArgument)
    .addHelpText('after', '\nExamples:\n  svc queue list web\n  svc queue list web --json')
    .action(async (id: string) => {
      const answer = await (await openClient(cli)).call('listRunQueues', { id })
      await print(cli, answer, () => describeQueues(cli, answer.queues))
    })
  definePlacing(command, cli)
  defineEntries(command, cli)
  defineRunning(command, cli)
  defineDefinitions(command, cli)
}

function definePlacing(group: Command, cli: Cli): void {
  const defineEnqueue = (name: 'add' | 'move', description: string, example: string) =>
    group
      .command(name)
      .description(description)
      .argument(...objectiveArgument)
      .option('--queue <queue>', 'name or id')
      .option('--after <objective>', 'behind this one')
      .option('--front', 'before all others')
      .option('--position <number>', 'at this position, counted from 1')
      .addHelpText('after', `\nExamples:\n  ${example}`)
      .action(async (objective: string, options: PositionOptions) => {
        const client = await openClient(cli)
        if (name === 'move') await requireEntry(client, objective)
        await enqueue(cli, client, { objectiveId: objective, ...options })
      })
  defineEnqueue(
    'add',
    'queue an objective; it is launched when a delivery advances the queue to it',
    'svc queue add web:12.k7qd\n  svc queue add web:12.k7qd --queue Night --front',
  )
  defineEnqueue(
    'move',
    'move an objective within its queue, or to another one',
    'svc queue move web:12.k7qd --after web:13.m2ab\n  svc queue move web:12.k7qd --queue Night',
  )
}

interface PositionOptions {
  queue?: string
  after?: string
  front?: true
  position?: string
}

async function enqueue(
  cli: Cli,
  client: Client,
  { position, ...named }: PositionOptions & { objectiveId: string },
): Promise<void> {
  const answer = await client.call('queueObjective', {
    ...named,
    ...(position !== undefined && { position: Number(position) }),
  })
  const { id, projectId } = answer.queue
  await print(cli, answer, async () => describeQueue(cli, await findQueue(client, projectId, id)))
}

function defineEntries(group: Command, cli: Cli): void {
  group
    .command('remove')
    .description('take an objective out of its queue; it is a draft again')
    .argument(...objectiveArgument)
    .addHelpText('after', '\nExamples:\n  svc queue remove web:12.k7qd')
    .action(async (objective: string) => {
      const client = await openClient(cli)
      const { queue, entry } = await requireEntry(client, objective)
      await client.call('removeRunQueueEntry', { id: entry.id })
      await show(cli, client, queue)
    })
  group
    .command('retry')
    .description('let a held entry take its turn now')
    .argument(...objectiveArgument)
    .addHelpText('after', '\nExamples:\n  svc queue retry web:12.k7qd')
    .action(async (objective: string) => {
      const client = await openClient(cli)
      const { queue, entry } = await requireEntry(client, objective)
      await client.call('retryRunQueueEntry', { id: entry.id })
      await show(cli, client, queue)
    })
  group
    .command('reorder')
    .description('put all entries of a queue into a new order')
    .argument(...projectArgument)
    .argument('<objectives...>', 'every objective in the queue, in the new order')
    .option('--queue <queue>', 'name or id; the default queue when left out')
    .addHelpText(
      'after',
      '\nExamples:\n  svc queue reorder web web:13.m2ab web:12.k7qd\n  svc queue reorder web web:12.k7qd --queue Night',
    )
    .action((project: string, objectives: string[], options: { queue?: string }) =>
      reorder(cli, project, objectives, options.queue),
    )
}

async function reorder(cli: Cli, project: string, objectives: string[], ref?: string) {
  const client = await openClient(cli)
  const queue = await findQueue(client, project, ref)
  const orderedEntryIds = objectives.map((one) => {
    const entry = queue.entries.find(
      ({ displayId, objectiveId }) => one === displayId || one === objectiveId,
    )
    if (entry) return entry.id
    const there = queue.entries.map(({ displayId }) => displayId).join(', ') || 'nothing'
    throw usageFailure(`${one} is not in the queue ${queue.name}: it holds ${there}.`)
  })
  const answer = await client.call('orderRunQueueEntries', { id: queue.id, orderedEntryIds })
  await print(cli, answer, async () =>
    describeQueue(cli, await findQueue(client, project, queue.id)),
  )
}

function defineRunning(group: Command, cli: Cli): void {
  const at = (
    name: string,
    description: string,
    act: (client: Client, id: string) => Promise<unknown>,
  ) =>
    group
      .command(name)
      .description(description)
      .argument(...projectArgument)
      .argument(...queueArgument)
      .addHelpText('after', `\nExamples:\n  svc queue ${name} web\n  svc queue ${name} web Night`)
      .action(async (project: string, ref?: string) => {
        const client = await openClient(cli)
        const queue = await findQueue(client, project, ref)
        await act(client, queue.id)
        await show(cli, client, queue)
      })
  at('start', 'launch the first waiting entry now, and end a pause', async (client, id) => {
    const { executionRequest } = await client.call('startRunQueue', { id })
    say(cli, `See its run: svc runs show ${executionRequest.id}`)
  })
  at('pause', 'launch nothing more from a queue; what runs goes on', (client, id) =>
    client.call('pauseRunQueue', { id }),
  )
  at('resume', 'end a pause', (client, id) => client.call('resumeRunQueue', { id }))
}

function defineDefinitions(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('create another queue in a project')
    .argument(...projectArgument)
    .argument('<name>')
    .addHelpText('after', '\nExamples:\n  svc queue create web Night')
    .action(async (id: string, name: string) => {
      const client = await openClient(cli)
      const { queue } = await client.call('createRunQueue', { id, name })
      await show(cli, client, queue)
    })
  group
    .command('update')
    .description('rename a queue, or give it another position among the others')
    .argument(...projectArgument)
    .argument('<queue>', 'name or id')
    .option('--name <name>')
    .option('--position <number>', "counted from 1, which is the default queue's")
    .addHelpText(
      'after',
      '\nExamples:\n  svc queue update web Night --name Evening\n  svc queue update web Night --position 2',
    )
    .action((project: string, ref: string, options: UpdateOptions) =>
      update(cli, project, ref, options),
    )
  group
    .command('delete')
    .description('delete a queue')
    .argument(...projectArgument)
    .argument('<queue>', 'name or id')
    .option('--move-to <queue>', 'the queue that its entries go to')
    .addHelpText(
      'after',
      '\nExamples:\n  svc queue delete web Night\n  svc queue delete web Night --move-to Default',
    )
    .action((project: string, ref: string, options: { moveTo?: string }) =>
      remove(cli, project, ref, options.moveTo),
    )
}

interface UpdateOptions {
  name?: string
  position?: string
}

async function update(cli: Cli, project: string, ref: string, options: UpdateOptions) {
  const { name, position } = options
  if (name === undefined && position === undefined) {
    throw usageFailure('Nothing to change: give --name or --position.')
  }
  const client = await openClient(cli)
  const { id, projectId } = await findQueue(client, project, ref)
  if (name !== undefined) await client.call('updateRunQueue', { id, name })
  if (position !== undefined) {
    const { queues } = await client.call('listRunQueues', { id: projectId })
    const others = queues.map((queue) => queue.id).filter((one) => one !== id)
    const queueIds = others.toSpliced(Number(position) - 1, 0, id)
    await client.call('orderRunQueues', { id: projectId, queueIds })
  }
  await show(cli, client, { id, projectId })
}

async function remove(cli: Cli, project: string, ref: string, moveTo?: string): Promise<void> {
  const client = await openClient(cli)
  const queue = await findQueue(client, project, ref)
  const { id, projectId } = queue
  if (moveTo === undefined) await refuseUnlessEmpty(client, queue, project)
  const target = moveTo === undefined ? undefined : await findQueue(client, projectId, moveTo)
  const moveEntriesTo = target && { moveEntriesTo: target.id }
  await client.call('deleteRunQueue', { id, ...moveEntriesTo })
  const answer = await client.call('listRunQueues', { id: projectId })
  await print(cli, answer, () => describeQueues(cli, answer.queues))
}

async function refuseUnlessEmpty(
  client: Client,
  { name, entries, isDefault, projectId }: Queue,
  project: string,
): Promise<void> {
  if (entries.length === 0 || isDefault) return
  const other = await findQueue(client, projectId)
  const command = `svc queue delete ${project} ${shellWord(name)} --move-to ${shellWord(other.name)}`
  throw new CommandFailure(
    'queue_not_empty',
    `The queue ${name} holds ${entries.length}: move them to another with ${command}`,
    exitCode.conflict,
  )
}

interface Shown {
  id: string
  projectId: string
}

/** What became of the queue, after a change of it. */
async function show(cli: Cli, client: Client, { id, projectId }: Shown): Promise<void> {
  const queue = await findQueue(client, projectId, id)
  await print(cli, { queue }, () => describeQueue(cli, queue))
}
