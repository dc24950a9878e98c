import { describeBudget } from '@svc/contracts/budget'
import type { RouteRequest } from '@svc/contracts/rest'
import { Priority } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { type Switch, onOrOff, oneOf } from '../choices.ts'
import {
  type ExpectedRevision,
  expectedRevisionOf,
  expectedRevisionOption,
} from '../expected-revision.ts'
import { usageFailure } from '../output/failure.ts'
import { oneLine } from '../output/terminal.ts'
import {
  type WorktreesChoice,
  nameWorktrees,
  worktreesOf,
  worktreesOption,
} from '../worktrees-choice.ts'

interface EditOptions extends ExpectedRevision {
  title?: string
  priority?: RouteRequest<'updateMission'>['priority']
  autoAdvance?: Switch
  parallel?: Switch
  worktrees?: WorktreesChoice
  budgetUsd?: string
  budgetTokens?: string
  budgetRuns?: string
}

export function defineMissionEdit(group: Command, cli: Cli): void {
  group
    .command('edit')
    .description('rename a mission, or change how its objectives follow each other')
    .argument('<mission>', 'display id or UUID')
    .option('--title <title>')
    .addOption(oneOf('--priority <priority>', 'how urgent it is', Priority.options))
    .addOption(
      onOrOff('--auto-advance <on|off>', 'launch the next objective when one is delivered'),
    )
    .addOption(onOrOff('--parallel <on|off>', 'let objectives run at the same time'))
    .addOption(worktreesOption())
    .option('--budget-usd <usd>', 'what its runs may cost before no other is launched, or none')
    .option('--budget-tokens <number>', 'tokens in and out, likewise')
    .option('--budget-runs <number>', 'launches, likewise')
    .option(...expectedRevisionOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions edit web:12 --title "Dark mode"\n  svc missions edit web:12 --auto-advance on --parallel off\n  svc missions edit web:12 --budget-usd 20 --budget-runs none',
    )
    .action((id: string, options: EditOptions) => edit(cli, id, options))
}

async function edit(cli: Cli, id: string, options: EditOptions): Promise<void> {
  const { title, priority, autoAdvance, parallel, worktrees } = options
  const changes = {
    ...(title !== undefined && { title }),
    ...(priority !== undefined && { priority }),
    ...(autoAdvance && { auto_advance: autoAdvance === 'on' }),
    ...(parallel && { allowParallelObjectives: parallel === 'on' }),
    ...(worktrees && { useWorktrees: worktreesOf(worktrees) }),
    ...budgetOf(options),
  }
  if (Object.keys(changes).length === 0) {
    throw usageFailure(
      'Say what to change: --title, --priority, --auto-advance, --parallel, --worktrees or a budget.',
    )
  }
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  const answer = await client.call('updateMission', { id, ...changes, ...expected })
  await print(cli, answer, () => {
    const { mission } = answer
    const advance = mission.auto_advance ? 'on' : 'off'
    const parallel = mission.allowParallelObjectives ? 'on' : 'off'
    const worktrees = nameWorktrees(mission.useWorktrees)
    const budget = describeBudget(mission.budget) ?? 'none'
    return `${mission.displayId} ${oneLine(mission.title)}: priority ${mission.priority}, auto-advance ${advance}, parallel ${parallel}, worktrees ${worktrees}, budget ${budget}`
  })
  for (const { message } of answer.warnings) say(cli, message)
}

/** What the options say of it; a bound that is `none` goes. */
function budgetOf({ budgetUsd, budgetTokens, budgetRuns }: EditOptions) {
  const budget = {
    ...(budgetUsd !== undefined && { usd: budgetUsd === 'none' ? null : budgetUsd }),
    ...(budgetTokens !== undefined && { tokens: countOf(budgetTokens, '--budget-tokens') }),
    ...(budgetRuns !== undefined && { runs: countOf(budgetRuns, '--budget-runs') }),
  }
  return Object.keys(budget).length === 0 ? {} : { budget }
}

function countOf(given: string, option: string): number | null {
  if (given === 'none') return null
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw usageFailure(`${option} takes a whole number, or none.`)
}
