import { limits } from '@svc/contracts/limits'
import type { Need, NeedCounts, NeedKind } from '@svc/contracts/need'
import { commandOf } from '@svc/contracts/next-step'
import type { RouteOutput } from '@svc/contracts/rest'
import { type Command, Option } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { shortCell } from '../output/short-cell.ts'

interface NeedsOptions extends PageOptions {
  mine?: true
  all?: true
  project?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .description(
      'list what waits for you, with the command that helps; agents that wait come first',
    )
    .option(
      '--mine',
      'what came of your launches, and for admins what nobody launched; so it is without this',
    )
    .addOption(new Option('--all', 'what waits for anybody').conflicts('mine'))
    .option('--project <project>', 'slug or UUID; several with commas')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nWhat is dealt with leaves the list by itself.\n\nExamples:\n  svc needs\n  svc needs --all --project web\n  svc needs --json',
    )
    .action((options: NeedsOptions) => listNeeds(cli, options))
}

async function listNeeds(cli: Cli, { all, project, limit, cursor }: NeedsOptions): Promise<void> {
  const answer = await (
    await openClient(cli)
  ).call('listNeeds', {
    ...pageOf({ limit, ...(cursor !== undefined && { cursor }) }),
    whose: all ? 'all' : 'mine',
    ...(project !== undefined && { projectId: project }),
  })
  const { table } = await import('../output/table.ts')
  await print(cli, answer, () => {
    const rows = answer.needs.map((need) => [
      need.since,
      whats[need.kind],
      nameOf(need),
      shortCell(detailOf(need)),
      need.next && commandOf(need.next),
    ])
    const columns = ['SINCE', 'WHAT', 'ABOUT', 'WHY', 'DO']
    const list = rows.length === 0 ? [] : [table(columns, rows, cli.stdout)]
    return [...list, sumOf(answer, all === true)].join('\n\n')
  })
  sayMore(cli, answer)
}

const whats: Readonly<Record<NeedKind, string>> = {
  question: 'asks',
  review: 'is in review',
  approval: 'awaits approval',
  stopped_run: 'has stopped',
  held_entry: 'is held in its queue',
  paused_queue: 'queue is paused',
  untaken_launch: 'no runner takes it',
  disabled_webhook: 'webhook is disabled',
  ending_token: 'token ends',
}

function nameOf(need: Need): string {
  if ('objective' in need) return need.objective.displayId
  if ('mission' in need) return need.mission.displayId
  if (need.kind === 'paused_queue') return `${need.project.slug} ${need.queue.name}`
  return need.kind === 'ending_token' ? need.token.label : need.webhook.name
}

function detailOf(need: Need): string | undefined {
  switch (need.kind) {
    case 'question':
      return need.question.question
    case 'review':
      return sizeOf(need.delivery) ?? need.mission.title
    case 'approval':
      return need.refusal?.message ?? need.objective.title
    case 'stopped_run':
    case 'untaken_launch':
      return need.reason
    case 'held_entry':
      return need.reason?.replaceAll('_', ' ')
    case 'paused_queue':
      return `${need.reason?.replaceAll('_', ' ') ?? 'by a person'}, ${need.waiting} waiting`
    case 'disabled_webhook':
      return need.webhook.reason === 'failures' ? 'too many failed deliveries' : 'by an admin'
    case 'ending_token':
      return need.token.endsAt
  }
}

/** As in `9 files +212 −80, checks passed, 1 thing for you to do`. */
function sizeOf(delivery: Extract<Need, { kind: 'review' }>['delivery']): string | undefined {
  if (delivery === null) return undefined
  const { files, additions, deletions, checks, humanActions } = delivery
  const parts = [
    ...(files === null ? [] : [`${counted(files, 'file')} +${additions ?? 0} −${deletions ?? 0}`]),
    ...(checks === null ? [] : [`checks ${checks.replaceAll('_', ' ')}`]),
    ...(humanActions === 0 ? [] : [`${counted(humanActions, 'thing')} for you to do`]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function sumOf({ counts }: RouteOutput<'listNeeds'>, isAll: boolean): string {
  const [mine, all] = [totalOf(counts, 'mine'), totalOf(counts, 'all')]
  const waiting = `${mine === '0' ? 'Nothing waits' : `${mine} wait`} for you`
  if (isAll) return `${all} in all; ${waiting.toLowerCase()}.`
  return mine === all ? `${waiting}.` : `${waiting}; ${all} in all: svc needs --all`
}

/** As many as are counted may be more. */
function totalOf(counts: NeedCounts, whose: 'mine' | 'all'): string {
  const numbers = Object.values(counts).map((count) => count[whose])
  const sum = numbers.reduce((total, one) => total + one, 0)
  return numbers.includes(limits.countedNeeds) ? `${sum} or more` : String(sum)
}
