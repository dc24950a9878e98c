import type { Client } from '@svc/client/client'
import type { MissionMatch } from '@svc/contracts/mission'
import type { RouteRequest } from '@svc/contracts/rest'
import { Priority, StatusType } from '@svc/contracts/states'
import { BudgetStanding } from '@svc/contracts/usage'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { commaListOf, oneOf } from '../choices.ts'
import { usageFailure } from '../output/failure.ts'
import { printRestorable } from './deletions.ts'
import { cursorOption, limitOption, sayMore } from '../output/more.ts'
import { timeOf } from '../time-option.ts'
import { statusOf } from './statuses.ts'

export function defineList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list or search missions, newest first')
    .option('--project <project>', 'slug or UUID')
    .option('--query <text>', 'words of titles, objectives and instructions')
    .option('--matches', 'show where the words of --query stand')
    .addOption(oneOf('--priority <priority>', 'how urgent they are', Priority.options))
    .addOption(commaListOf('--phase <phase,…>', 'several with commas', StatusType.options))
    .option('--status <status>', 'label, type or UUID of one status; needs --project')
    .option('--updated-since <time>', 'a date or a time, as in 2026-11-01 or 2026-11-01T09:30:00Z')
    .option('--updated-before <time>', 'the same')
    .addOption(
      oneOf(
        '--budget <standing>',
        'those that have a budget, or of which it is used up',
        BudgetStanding.options,
      ),
    )
    .option('--deleted', 'those that can be restored, and until when; of --project alone')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions list --project web\n  svc missions list --query "dark switch" --phase execute,review\n  svc missions list --project web --status "In review" --updated-since 2026-11-01\n  svc missions list --deleted',
    )
    .action((options: ListOptions) => (options.deleted ? listDeleted : list)(cli, options))
}

interface ListOptions {
  deleted?: true
  project?: string
  query?: string
  matches?: true
  priority?: RouteRequest<'listMissions'>['priority']
  phase?: string
  status?: string
  updatedSince?: string
  updatedBefore?: string
  budget?: BudgetStanding
  limit: string
  cursor?: string
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('listMissions', await filterOf(client, options))
  const { table } = await import('../output/table.ts')
  const { matches } = answer
  const head = ['MISSION', 'STATUS', 'PRIORITY', 'TITLE', ...(matches ? ['FOUND IN'] : [])]
  const rows = answer.missions.map(({ id, displayId, status, priority, title }) => {
    const match = matches?.find(({ missionId }) => missionId === id)
    return [displayId, status.label, priority, title, ...(matches ? [whereFound(match)] : [])]
  })
  await print(cli, answer, () => table(head, rows, cli.stdout))
  sayMore(cli, answer)
}

function whereFound(match: MissionMatch | undefined): string {
  if (!match?.objective) return match ? 'its title' : 'its id'
  const { objective, excerpt } = match
  return `${objective.displayId} ${excerpt ?? objective.title}`
}

async function listDeleted(cli: Cli, options: ListOptions): Promise<void> {
  const { deleted: _, project, limit, cursor, ...filter } = options
  const [other] = Object.keys(filter)
  if (other !== undefined) throw usageFailure('--deleted is narrowed by --project alone.')
  const answer = await (
    await openClient(cli)
  ).call('listDeletedMissions', {
    limit,
    ...(cursor !== undefined && { cursor }),
    ...(project !== undefined && { projectId: project }),
  })
  await printRestorable(cli, 'missions', answer)
}

async function filterOf(
  client: Client,
  { project, status, phase, matches, updatedSince, updatedBefore, ...rest }: ListOptions,
): Promise<RouteRequest<'listMissions'>> {
  if (matches && rest.query === undefined)
    throw usageFailure('--matches says where the words of --query stand: give them.')
  if (status !== undefined && project === undefined)
    throw usageFailure('--status is one of a project: name it with --project, or use --phase.')
  return {
    ...rest,
    ...(matches && { matches: 'true' as const }),
    ...(project !== undefined && { projectId: project }),
    ...(phase !== undefined && { statusTypes: phase }),
    ...(status !== undefined &&
      project !== undefined && { statusId: (await statusOf(client, project, status)).id }),
    ...(updatedSince !== undefined && { updatedSince: timeOf('--updated-since', updatedSince) }),
    ...(updatedBefore !== undefined && {
      updatedBefore: timeOf('--updated-before', updatedBefore),
    }),
  }
}
