import { z } from 'zod'

const mostTokens = 1_000_000_000_000
const mostUsd = 1_000_000

const Tokens = z.int().nonnegative().max(mostTokens)

/** US dollars as a decimal text, so that a sum of them is exact. */
export const Usd = z
  .string()
  .regex(
    /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,6})?$/,
    'use dollars such as 12.5, of six places at most',
  )

/** What an agent says that a run of it has used. */
export const Usage = z.strictObject({
  inputTokens: Tokens.optional(),
  outputTokens: Tokens.optional(),
  usd: Usd.optional(),
})
export type Usage = z.infer<typeof Usage>

/** The same of numbers as an agent prints them. What is none, or beyond all bounds, is left out. */
export function usageOf(printed: Readonly<Record<string, unknown>>): Usage | undefined {
  const { inputTokens, outputTokens, usd } = printed
  const found = {
    inputTokens: Tokens.safeParse(inputTokens).data,
    outputTokens: Tokens.safeParse(outputTokens).data,
    usd: typeof usd === 'number' && usd >= 0 && usd <= mostUsd ? decimalOf(usd) : undefined,
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : Usage.parse(Object.fromEntries(known))
}

function decimalOf(usd: number): string {
  return usd.toFixed(6).replace(/\.?0+$/, '')
}
