import { type Budget, type UsageSum, usdOf } from '@svc/contracts/usage'
import type { MissionRow } from '@svc/db/tables'

/** The sums that a mission has of its runs, and an objective likewise. */
export const usedColumns = [
  'used_runs',
  'used_runs_without_usd',
  'used_runs_without_tokens',
  'used_input_tokens',
  'used_output_tokens',
  'used_millionths',
  'used_seconds',
] as const satisfies readonly (keyof MissionRow)[]

export type Used = Pick<MissionRow, (typeof usedColumns)[number]>

export function viewUsage(used: Used): UsageSum {
  return {
    runs: used.used_runs,
    runsOfUnknownCost: used.used_runs_without_usd,
    runsOfUnknownTokens: used.used_runs_without_tokens,
    inputTokens: used.used_input_tokens,
    outputTokens: used.used_output_tokens,
    usd: usdOf(used.used_millionths),
    seconds: used.used_seconds,
  }
}

type Bounds = Pick<MissionRow, 'budget_millionths' | 'budget_tokens' | 'budget_runs'>

export function viewBudget(bounds: Bounds): Budget {
  const { budget_millionths: usd, budget_tokens: tokens, budget_runs: runs } = bounds
  return { usd: usd === null ? null : usdOf(usd), tokens, runs }
}
