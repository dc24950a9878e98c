import type { Client } from '@svc/client/client'
import type { ProjectStatus } from '@svc/contracts/project'
import type { RouteRequest } from '@svc/contracts/rest'
import { StatusType } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { type ExpectedRevision, expectedRevisionOf } from '../expected-revision.ts'
import { usageFailure } from '../output/failure.ts'

const projectArgument = ['<project>', 'slug or UUID'] as const
const revisionOption = [
  '--expected-revision <number>',
  "the project's as it was read, from list --json",
] as const
const statusArgument = ['<status>', 'label, type or UUID of the status'] as const

/** `svc projects statuses …` */
export function defineStatuses(projects: Command, cli: Cli): void {
  const group = projects
    .command('statuses')
    .description('list, add, rename, order and delete the statuses of a project')
    .addHelpText(
      'after',
      '\nExamples:\n  svc projects statuses list web\n  svc projects statuses add web Ideas --type draft',
    )
  group
    .command('list')
    .description('list the statuses of a project in their order')
    .argument(...projectArgument)
    .addHelpText('after', '\nExamples:\n  svc projects statuses list web')
    .action((project: string) => list(cli, project))
  group
    .command('add')
    .description('add a status at the end')
    .argument(...projectArgument)
    .argument('<label>')
    .requiredOption('--type <type>', `what it means: ${StatusType.options.join(', ')}`)
    .addHelpText('after', '\nExamples:\n  svc projects statuses add web Ideas --type draft')
    .action((project: string, label: string, options: { type: StatusType }) =>
      add(cli, project, { label, ...options }),
    )
  group
    .command('rename')
    .description('give a status another label; what it means stays')
    .argument(...projectArgument)
    .argument(...statusArgument)
    .argument('<label>')
    .option(...revisionOption)
    .addHelpText('after', '\nExamples:\n  svc projects statuses rename web Done Shipped')
    .action((project: string, status: string, label: string, options: ExpectedRevision) =>
      rename(cli, project, { wanted: status, label, options }),
    )
  defineOrder(group, cli)
  defineDelete(group, cli)
}

function defineOrder(group: Command, cli: Cli): void {
  group
    .command('order')
    .description('put the statuses into another order, each of them named once')
    .argument(...projectArgument)
    .argument('<status...>', 'labels, types or UUIDs')
    .option(...revisionOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc projects statuses order web Backlog Blocked "In progress" "In review" Done Cancelled',
    )
    .action((project: string, statuses: string[], options: ExpectedRevision) =>
      order(cli, project, statuses, options),
    )
}

function defineDelete(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('delete a status; its missions go to another one')
    .argument(...projectArgument)
    .argument(...statusArgument)
    .option('--move-to <status>', 'where its missions go: label, type or UUID')
    .option(...revisionOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc projects statuses delete web Blocked\n  svc projects statuses delete web Ideas --move-to Backlog',
    )
    .action((project: string, status: string, options: RemoveOptions) =>
      remove(cli, project, status, options),
    )
}

/** The one that a person means: by UUID or label, else the first of the type. */
function statusNamed(statuses: readonly ProjectStatus[], wanted: string): ProjectStatus {
  const same = (one: string) => one.toLowerCase() === wanted.toLowerCase()
  const found =
    statuses.find((one) => same(one.id) || same(one.label)) ??
    statuses.find((one) => same(one.type))
  if (found !== undefined) return found
  const known = statuses.map((one) => one.label).join(', ')
  throw usageFailure(`This project has no status ${wanted}: use one of ${known}.`)
}

export async function statusOf(
  client: Client,
  projectId: string,
  wanted: string,
): Promise<ProjectStatus> {
  return statusNamed(await statusesOf(client, projectId), wanted)
}

interface RemoveOptions extends ExpectedRevision {
  moveTo?: string
}

async function statusesOf(client: Client, id: string): Promise<ProjectStatus[]> {
  return (await client.call('listProjectStatuses', { id })).statuses
}

async function list(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('listProjectStatuses', { id })
  await print(cli, answer, () => describe(cli, answer.statuses))
}

async function add(
  cli: Cli,
  id: string,
  status: Omit<RouteRequest<'createProjectStatus'>, 'id'>,
): Promise<void> {
  const answer = await (await openClient(cli)).call('createProjectStatus', { id, ...status })
  await print(cli, answer, () => describe(cli, [answer.status]))
}

interface Renaming {
  wanted: string
  label: string
  options: ExpectedRevision
}

async function rename(cli: Cli, id: string, { wanted, label, options }: Renaming): Promise<void> {
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  const statusId = statusNamed(await statusesOf(client, id), wanted).id
  const answer = await client.call('renameProjectStatus', { id, statusId, label, ...expected })
  await print(cli, answer, () => describe(cli, [answer.status]))
}

async function order(
  cli: Cli,
  id: string,
  wanted: readonly string[],
  options: ExpectedRevision,
): Promise<void> {
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  const statuses = await statusesOf(client, id)
  const statusIds = wanted.map((one) => statusNamed(statuses, one).id)
  const answer = await client.call('orderProjectStatuses', { id, statusIds, ...expected })
  await print(cli, answer, () => describe(cli, answer.statuses))
}

async function remove(
  cli: Cli,
  id: string,
  wanted: string,
  { moveTo, ...options }: RemoveOptions,
): Promise<void> {
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  const statuses = await statusesOf(client, id)
  const status = statusNamed(statuses, wanted)
  const answer = await client.call('deleteProjectStatus', {
    id,
    statusId: status.id,
    ...(moveTo !== undefined && { moveTo: statusNamed(statuses, moveTo).id }),
    ...expected,
  })
  await print(cli, answer, () => `deleted ${status.label}; missions moved: ${answer.moved}`)
}

async function describe(cli: Cli, statuses: readonly ProjectStatus[]): Promise<string> {
  const { table } = await import('../output/table.ts')
  const rows = statuses.map(({ label, type, id }) => [label, type, id])
  return table(['STATUS', 'TYPE', 'ID'], rows, cli.stdout)
}
