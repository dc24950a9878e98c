import { commandOf } from '@svc/contracts/next-step'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { cursorOption, limitOption, sayMore } from '../output/more.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc notifications list --unread\n  svc notifications read',
  )
  command
    .command('list')
    .description('list what the service told you, newest first')
    .option('--unread', 'only what is not read')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc notifications list\n  svc notifications list --unread',
    )
    .action((options: ListOptions) => list(cli, options))
  command
    .command('read')
    .description('mark notifications as read; all of them when none is named')
    .argument('[notification...]', 'UUIDs, as svc notifications list shows them')
    .addHelpText(
      'after',
      '\nExamples:\n  svc notifications read\n  svc notifications read 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10',
    )
    .action((ids: string[]) => read(cli, ids))
}

interface ListOptions {
  unread?: true
  limit: string
  cursor?: string
}

async function list(cli: Cli, { unread, ...page }: ListOptions): Promise<void> {
  const state = unread ? 'unread' : 'all'
  const answer = await (await openClient(cli)).call('listNotifications', { ...page, state })
  const { table } = await import('../output/table.ts')
  const rows = answer.notifications.map((one) => [
    one.readAt === null ? 'unread' : 'read',
    one.createdAt,
    one.title,
    one.next && commandOf(one.next),
    one.id,
  ])
  const columns = ['STATE', 'TOLD', 'WHAT', 'DO', 'ID']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  sayMore(cli, answer)
}

async function read(cli: Cli, ids: string[]): Promise<void> {
  const named = ids.length === 0 ? {} : { notificationIds: ids }
  const answer = await (await openClient(cli)).call('readNotifications', named)
  await print(cli, answer, () => `read ${answer.read}`)
}
