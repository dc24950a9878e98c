import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { RunEnd, UsageGroup } from '@svc/contracts/usage'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { commaListOf } from '../choices.ts'
import { type PageOptions, cursorOption, pageOf, pageSize, sayMore } from '../output/more.ts'
import { describeUsage, durationOf } from '../output/used.ts'

interface UsageOptions extends PageOptions {
  by: string
  project?: string
  agent?: string
  model?: string
  ownModel?: true
  since?: string
  until?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .description('sum what runs have used, by the weeks in which they were launched')
    .addOption(
      commaListOf(
        '--by <groups>',
        'one row for each, or for each combination of several with commas',
        UsageGroup.options,
      ).default('project'),
    )
    .option('--project <project>', 'slug or UUID')
    .option('--agent <agent>', 'key of an agent')
    .option('--model <model>', 'as launches name it')
    .option('--own-model', 'runs that were launched without a model')
    .option(
      '--since <day>',
      'a day of the first week, as in 2026-11-02; 12 weeks ago when left out',
    )
    .option('--until <day>', 'a day of the last week')
    .option('--limit <number>', 'how many rows at most', pageSize)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nA run counts once it is over. What an agent does not say is unknown, and not 0.\n\nExamples:\n  svc usage\n  svc usage --by agent,model --since 2026-11-02\n  svc usage --project web --by week --json',
    )
    .action((options: UsageOptions) => usage(cli, options))
}

type Usage = RouteOutput<'getUsage'>
type Row = Usage['rows'][number]

async function usage(cli: Cli, options: UsageOptions): Promise<void> {
  const { by, project, agent, model, ownModel, since, until, ...page } = options
  const asked: RouteRequest<'getUsage'> = {
    ...pageOf(page),
    by,
    ...(project !== undefined && { projectId: project }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(ownModel && { ownModel: 'true' }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
  const answer = await (await openClient(cli)).call('getUsage', asked)
  const { table } = await import('../output/table.ts')
  const groups = by.split(',')
  const columns = [...groups.map((group) => group.toUpperCase()), ...sumColumns]
  await print(cli, answer, () => {
    const total = `Since ${answer.since}: ${describeUsage(answer.total) ?? 'no runs'}.`
    if (answer.rows.length === 0) return total
    const rows = answer.rows.map((row) => [
      ...groups.map((group) => keyOf(row, group)),
      ...sumsOf(row),
    ])
    return `${table(columns, rows, cli.stdout)}\n\n${total}`
  })
  sayMore(cli, answer)
}

const sumColumns = [
  'RUNS',
  'ENDED',
  'USD',
  'UNKNOWN COST',
  'TOKENS IN',
  'TOKENS OUT',
  'UNKNOWN TOKENS',
  'TIME',
]

function keyOf(row: Row, group: string): string | undefined {
  if (group === 'project') return row.project?.slug
  if (group === 'model') return row.model ?? "the agent's own"
  return group === 'week' ? row.week : row.agent
}

/** In words, the ways in which none ended left out. */
function describeEnds(ends: Row['ends']): string | null {
  const told = RunEnd.options.filter((end) => ends[end] > 0).map((end) => `${ends[end]} ${end}`)
  return told.length === 0 ? null : told.join(', ')
}

/** Cost and tokens are left empty where no run of the row has reported them. */
function sumsOf(row: Row) {
  const tellsCost = row.runsOfUnknownCost < row.runs
  const tellsTokens = row.runsOfUnknownTokens < row.runs
  return [
    row.runs,
    describeEnds(row.ends),
    tellsCost ? row.usd : null,
    row.runsOfUnknownCost,
    tellsTokens ? row.inputTokens.toLocaleString('en') : null,
    tellsTokens ? row.outputTokens.toLocaleString('en') : null,
    row.runsOfUnknownTokens,
    durationOf(row.seconds),
  ]
}
