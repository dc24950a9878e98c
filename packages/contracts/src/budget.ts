import { type Budget, type UsageSum, millionthsOf } from './usage.ts'

/** A bound of a budget with what it allows and what is used of it, both as people write them. */
export interface Spent {
  bound: keyof Budget
  allowed: string
  used: string
}

interface Of {
  budget: Budget
  launches: number
  usage: Pick<UsageSum, 'usd' | 'inputTokens' | 'outputTokens'>
}

/** The first bound that is used up; undefined while another run may be launched. */
export function spentBound({
  budget: { usd, tokens, runs },
  launches,
  usage,
}: Of): Spent | undefined {
  if (usd !== null && millionthsOf(usage.usd) >= millionthsOf(usd)) {
    return { bound: 'usd', allowed: `$${usd}`, used: `$${usage.usd}` }
  }
  const usedTokens = usage.inputTokens + usage.outputTokens
  if (tokens !== null && usedTokens >= tokens) {
    return {
      bound: 'tokens',
      allowed: counted(tokens, 'token'),
      used: counted(usedTokens, 'token'),
    }
  }
  if (runs !== null && launches >= runs) {
    return { bound: 'runs', allowed: counted(runs, 'run'), used: counted(launches, 'run') }
  }
  return undefined
}

/** Money alone: what an agent costs that does not say so, nothing would bound. */
export function isMoneyAlone({ usd, tokens, runs }: Budget): boolean {
  return usd !== null && tokens === null && runs === null
}

/** In a line; nothing where nothing is bound. */
export function describeBudget({ usd, tokens, runs }: Budget): string | undefined {
  const bounds = [
    ...(usd === null ? [] : [`$${usd}`]),
    ...(tokens === null ? [] : [counted(tokens, 'token')]),
    ...(runs === null ? [] : [counted(runs, 'run')]),
  ]
  return bounds.length === 0 ? undefined : bounds.join(', ')
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
