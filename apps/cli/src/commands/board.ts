import { type BoardCard, type BoardColumn, CardBadge } from '@svc/contracts/board'
import { limits } from '@svc/contracts/limits'
import { Priority, StatusType } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { commaListOf, oneOf } from '../choices.ts'
import { usageFailure } from '../output/failure.ts'
import { type PageOptions, cursorOption, pageOf, sayMore } from '../output/more.ts'
import { shortCell } from '../output/short-cell.ts'
import { oneLine, paint } from '../output/terminal.ts'
import { statusOf } from './statuses.ts'

interface BoardOptions extends PageOptions {
  status?: string
  query?: string
  phase?: string
  priority?: string
  badge?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .description('show the newest missions of each status of a project, and what each is at')
    .argument('<project>', 'slug or UUID')
    .option('--status <status>', 'one column: label, type or UUID of its status')
    .option('--query <text>', 'words of titles, objectives and instructions')
    .addOption(commaListOf('--phase <phase,…>', 'several with commas', StatusType.options))
    .addOption(oneOf('--priority <priority>', 'only those', Priority.options))
    .addOption(oneOf('--badge <badge>', 'only those', CardBadge.options))
    .option('--limit <number>', 'how many of a column at most', String(limits.cards))
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nA cursor is that of one column: name that with --status.\n\nExamples:\n  svc board web\n  svc board web --badge waits\n  svc board web --status "In review" --limit 100\n  svc board web --query "dark switch" --json',
    )
    .action((project: string, options: BoardOptions) => board(cli, project, options))
}

async function board(cli: Cli, id: string, options: BoardOptions): Promise<void> {
  const { status, query, phase, priority, badge, ...page } = options
  if (page.cursor !== undefined && status === undefined)
    throw usageFailure('A cursor is that of one column: name that with --status.')
  const client = await openClient(cli)
  const answer = await client.call('getBoard', {
    id,
    ...pageOf(page),
    ...(status !== undefined && { statusId: (await statusOf(client, id, status)).id }),
    ...(query !== undefined && { query }),
    ...(phase !== undefined && { statusTypes: phase }),
    ...(priority !== undefined && { priority: Priority.parse(priority) }),
    ...(badge !== undefined && { badge: CardBadge.parse(badge) }),
  })
  const columns: string[] = []
  for (const column of answer.columns) columns.push(await describeColumn(cli, id, column))
  await print(cli, answer, () => columns.join('\n\n') || 'No column of the board is of that phase.')
  if (status !== undefined && answer.columns[0]) sayMore(cli, answer.columns[0])
}

async function describeColumn(cli: Cli, project: string, column: BoardColumn): Promise<string> {
  const { status, count, countsMore, cards, nextCursor } = column
  const more = countsMore ? ' or more' : ''
  const head = paint('bold', `${oneLine(status.label)} ${count}${more}`, cli.stdout)
  if (cards.length === 0) return head
  const { table } = await import('../output/table.ts')
  const rows = cards.map((card) => [
    card.displayId,
    card.priority,
    `${card.progress.complete}/${card.progress.total}`,
    badgeOf(card),
    shortCell(card.badge?.waitsOn ?? undefined),
    card.title,
  ])
  const list = table(['MISSION', 'PRIORITY', 'DONE', 'NOW', 'WAITS ON', 'TITLE'], rows, cli.stdout)
  const rest = `There are more: svc board ${project} --status ${status.id}`
  return [head, list, ...(nextCursor === undefined ? [] : [rest])].join('\n')
}

/** As in `running claude 60 %`. */
function badgeOf({ badge }: BoardCard): string | undefined {
  if (badge === null) return undefined
  const { kind, agent, percent } = badge
  const parts = [kind.replaceAll('_', ' '), agent, percent === null ? null : `${percent} %`]
  return parts.filter((part) => part !== null).join(' ')
}
