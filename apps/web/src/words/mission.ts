import type { Mission } from '@svc/contracts/mission'
import type { UsageSum } from '@svc/contracts/usage'

export const priorityWords: Readonly<Record<Mission['priority'], { sign: string; word: string }>> =
  {
    urgent: { sign: '⇈', word: 'urgent' },
    high: { sign: '↑', word: 'high' },
    normal: { sign: '', word: 'normal' },
    low: { sign: '↓', word: 'low' },
  }

/** A count as people read it from afar: 812, 41 k, 1.2 M. */
export function short(count: number): string {
  if (count < 1_000) return String(count)
  const [divisor, unit] = count < 1_000_000 ? [1_000, 'k'] : [1_000_000, 'M']
  const value = count / divisor
  return `${value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value)} ${unit}`
}

/** Dollars, to the cent. */
export function money(usd: string): string {
  return `$${Number(usd).toFixed(2)}`
}

export interface Share {
  /** What is used, and of how much where that is bounded. */
  text: string
  /** From 0 to 1; undefined where nothing bounds it. */
  part: number | undefined
}

/** What a mission's runs have used, next to what they may. */
export function sharesOfBudget({
  usage,
  budget,
  launches,
}: Pick<Mission, 'usage' | 'budget' | 'launches'>): Share[] {
  const tokens = usage.inputTokens + usage.outputTokens
  return [
    share(Number(usage.usd), budget.usd === null ? null : Number(budget.usd), (value) =>
      money(String(value)),
    ),
    share(tokens, budget.tokens, (value) => `${short(value)} tokens`),
    share(launches, budget.runs, (value) => `${value} ${value === 1 ? 'run' : 'runs'}`),
  ].filter(({ used, part }) => used > 0 || part !== undefined)
}

function share(used: number, most: number | null, say: (value: number) => string) {
  if (most === null) return { used, text: say(used), part: undefined }
  return {
    used,
    text: `${say(used)} of ${say(most)}`,
    part: most === 0 ? 1 : Math.min(1, used / most),
  }
}

/** What a sum leaves out, where some runs did not say what they used. */
export function unknownOf({ runs, runsOfUnknownCost }: UsageSum): string | undefined {
  if (runsOfUnknownCost === 0) return undefined
  if (runsOfUnknownCost === runs) return 'their cost is not known'
  return `the cost of ${runsOfUnknownCost} is not known`
}
