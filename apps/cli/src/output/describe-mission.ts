import { describeBudget } from '@svc/contracts/budget'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Cli } from '../cli.ts'
import { nameWorktrees } from '../worktrees-choice.ts'
import { type Runs, lastRunOf } from './run-end.ts'
import { describeUsage } from './used.ts'

export async function describeMission(
  cli: Cli,
  mission: Mission,
  objectives: readonly Objective[],
  runs: Runs = new Map(),
): Promise<string> {
  const list = await describeObjectives(cli, objectives, runs)
  return [await describeHead(cli, mission), ...list].join('\n\n')
}

export async function describeHead(cli: Cli, mission: Mission): Promise<string> {
  const { details } = await import('./table.ts')
  const head = {
    mission: mission.displayId,
    title: mission.title,
    status: mission.status.label,
    priority: mission.priority,
    branch: mission.active_branch,
    'auto-advance': mission.auto_advance ? 'on' : 'off',
    parallel: mission.allowParallelObjectives ? 'on' : 'off',
    // where it says nothing, nothing is unusual
    ...(mission.useWorktrees !== null && { worktrees: nameWorktrees(mission.useWorktrees) }),
    used: describeUsage(mission.usage),
    budget: budgetOf(mission),
  }
  return details(head, cli.stdout)
}

/** Launches count for a bound of runs, whatever became of them. */
export function budgetOf({ budget, launches }: Mission): string | undefined {
  const bounds = describeBudget(budget)
  return bounds !== undefined && budget.runs !== null ? `${bounds}; launched ${launches}` : bounds
}

type Workers = readonly { objectiveId: string; agent: string; executionRequestId: string | null }[]

/** One table, or none where there are none; the branch is that of an objective that runs in parallel with others. */
export async function describeObjectives(
  cli: Cli,
  objectives: readonly Objective[],
  runs: Runs,
  workers: Workers = [],
): Promise<string[]> {
  if (objectives.length === 0) return []
  const { table } = await import('./table.ts')
  const rows = objectives.map((one) => {
    const worker = workers.find(({ objectiveId }) => objectiveId === one.id)
    const came = worker?.executionRequestId === null
    return [
      one.displayId,
      one.state,
      came ? 'attached by itself' : lastRunOf(one, runs.get(one.id)),
      worker?.agent ?? one.assigned_agent,
      one.branch,
      one.title,
    ]
  })
  const columns = ['OBJECTIVE', 'STATE', 'LAST RUN', 'AGENT', 'BRANCH', 'TITLE']
  return [table(columns, rows, cli.stdout)]
}
