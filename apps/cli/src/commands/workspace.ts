import type { RouteRequest } from '@svc/contracts/rest'
import type { Workspace } from '@svc/contracts/workspace'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import {
  type ExpectedRevision,
  expectedRevisionOf,
  expectedRevisionOption,
} from '../expected-revision.ts'
import { localTime } from '../output/local-time.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc workspace show\n  svc workspace rename "Acme Tools"\n  svc workspace delete "Acme Tools"',
  )
  command
    .command('show')
    .description('show the workspace of your token, and how long tokens live there')
    .addHelpText('after', '\nExamples:\n  svc workspace show')
    .action(() => show(cli))
  command
    .command('rename')
    .description('change the name of the workspace; its slug stays')
    .argument('<name>')
    .option(...expectedRevisionOption)
    .addHelpText('after', '\nExamples:\n  svc workspace rename "Acme Tools"')
    .action((name: string, options: ExpectedRevision) =>
      change(cli, { name, ...expectedRevisionOf(options) }),
    )
  command
    .command('token-days')
    .description('say how many days a token that is minted from now on lives at most')
    .argument('<number>', '1 to 366')
    .option(...expectedRevisionOption)
    .addHelpText('after', '\nExamples:\n  svc workspace token-days 30')
    .action((days: string, options: ExpectedRevision) =>
      change(cli, { maxTokenDays: Number(days), ...expectedRevisionOf(options) }),
    )
  command
    .command('delete')
    .description(
      'delete the workspace of your token, by its name: runs are cancelled, tokens and webhooks dead at once; for 30 days an owner restores it',
    )
    .argument('<name>', 'its name, as show prints it')
    .addHelpText('after', '\nExamples:\n  svc workspace delete "Acme Tools"')
    .action((name: string) => remove(cli, name))
  command
    .command('restore')
    .description('restore the workspace of your token, which an owner has deleted')
    .addHelpText('after', '\nExamples:\n  svc workspace restore')
    .action(() => restore(cli))
}

async function remove(cli: Cli, name: string): Promise<void> {
  const answer = await (await openClient(cli)).call('deleteWorkspace', { name })
  const until = localTime(answer.restorableUntil)
  await print(
    cli,
    answer,
    () =>
      `deleted ${answer.workspace.name}. Until ${until} an owner restores it: svc workspace restore`,
  )
}

async function restore(cli: Cli): Promise<void> {
  const answer = await (await openClient(cli)).call('restoreWorkspace', {})
  await print(
    cli,
    answer,
    () =>
      `${answer.workspace.name} is there, with its members, tokens and webhooks. Runs stay cancelled; what was held for a webhook is sent by: svc webhooks recover`,
  )
}

async function show(cli: Cli): Promise<void> {
  const answer = await (await openClient(cli)).call('getWorkspace', {})
  await print(cli, answer, () => describe(cli, answer.workspace))
}

async function change(cli: Cli, input: RouteRequest<'updateWorkspace'>): Promise<void> {
  const answer = await (await openClient(cli)).call('updateWorkspace', input)
  await print(cli, answer, () => describe(cli, answer.workspace))
}

async function describe(cli: Cli, workspace: Workspace): Promise<string> {
  const { details } = await import('../output/table.ts')
  const { slug, name, maxTokenDays, id } = workspace
  return details({ workspace: slug, name, 'days of a token': maxTokenDays, id }, cli.stdout)
}
