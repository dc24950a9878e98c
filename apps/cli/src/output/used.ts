import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { type Usage, type UsageSum, addUsage, noUsage } from '@svc/contracts/usage'

/** What runs have used, in a line; nothing where none has. Of what an agent did not say, it says so. */
export function describeUsage(sum: UsageSum): string | undefined {
  if (sum.runs === 0) return undefined
  const parts = [runsOf(sum.runs), costOf(sum), tokensOf(sum), durationOf(sum.seconds)]
  return parts.join(', ')
}

function runsOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'run' : 'runs'}`
}

/** Never 0 for what is not known. */
export function costOf({ runs, runsOfUnknownCost, usd }: UsageSum): string {
  if (runsOfUnknownCost === runs) return 'cost unknown'
  return runsOfUnknownCost === 0
    ? `$${usd}`
    : `$${usd} and ${runsOf(runsOfUnknownCost)} of unknown cost`
}

function tokensOf({ runs, runsOfUnknownTokens, inputTokens, outputTokens }: UsageSum): string {
  if (runsOfUnknownTokens === runs) return 'tokens unknown'
  const known = `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} tokens out`
  const unknown = `${runsOf(runsOfUnknownTokens)} of unknown tokens`
  return runsOfUnknownTokens === 0 ? known : `${known} and ${unknown}`
}

/** In its two largest units. */
export function durationOf(seconds: number): string {
  const units = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** The sum of runs of a list: those count whose end is known. */
export function sumOf(runs: readonly ExecutionRequest[]): UsageSum {
  let sum = noUsage
  for (const { usage, seconds } of runs) if (seconds !== null) sum = plus(sum, usage ?? {}, seconds)
  return sum
}

function plus(sum: UsageSum, told: Usage, seconds: number): UsageSum {
  const { inputTokens, outputTokens, usd } = told
  const tellsTokens = inputTokens !== undefined || outputTokens !== undefined
  return {
    runs: sum.runs + 1,
    runsOfUnknownCost: sum.runsOfUnknownCost + (usd === undefined ? 1 : 0),
    runsOfUnknownTokens: sum.runsOfUnknownTokens + (tellsTokens ? 0 : 1),
    inputTokens: sum.inputTokens + (inputTokens ?? 0),
    outputTokens: sum.outputTokens + (outputTokens ?? 0),
    usd: addUsage(sum, told).usd ?? sum.usd,
    seconds: sum.seconds + seconds,
  }
}
