import type { Budget } from '@svc/contracts/usage'

/** A budget as it is written into three fields; an empty one sets no bound. */
export interface Bounds {
  usd: string
  tokens: string
  runs: string
}

export function boundsOf({ usd, tokens, runs }: Budget): Bounds {
  return { usd: usd ?? '', tokens: textOf(tokens), runs: textOf(runs) }
}

export function budgetOf({ usd, tokens, runs }: Bounds): Budget {
  return { usd: usd.trim() || null, tokens: numberOf(tokens), runs: numberOf(runs) }
}

function textOf(bound: number | null): string {
  return bound === null ? '' : String(bound)
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
