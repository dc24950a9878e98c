import type { Bounds } from '../../parts/budget/bounds.ts'

/** The same bounds are always the same text. */
export function writeBounds({ usd, tokens, runs }: Bounds): string {
  return JSON.stringify([usd, tokens, runs])
}

/** What is none, as a draft of another version may be, is empty. */
export function readBounds(text: string): Bounds {
  const [usd = '', tokens = '', runs = ''] = parse(text)
  return { usd, tokens, runs }
}

function parse(text: string): string[] {
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given.map((one) => (typeof one === 'string' ? one : '')) : []
  } catch {
    return []
  }
}

/** As a text that people compare. */
export function describeBounds({ usd, tokens, runs }: Bounds): string {
  return [
    `Dollars: ${usd || 'no bound'}`,
    `Tokens: ${tokens || 'no bound'}`,
    `Runs: ${runs || 'no bound'}`,
  ].join('\n')
}
