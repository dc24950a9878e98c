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
export const usageKinds = Usage.keyof().options

/** What an agent says that a whole conversation has used, in which earlier runs had a part. */
export const ConversationUsage = z.strictObject({
  externalSessionId: z.string().max(200),
  usage: Usage,
})
export type ConversationUsage = z.infer<typeof ConversationUsage>

/** What a run has used, and for how long. */
export interface UsageOfRun extends Usage {
  seconds: number
}

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
  return usdOf(Math.round(usd * millionths))
}

const millionths = 1_000_000
/** As `Usd` can write it. */
const mostMillionths = 10_000_000 * millionths - 1
const places = 6

/** As money is stored and summed: whole millionths of a dollar. */
export function millionthsOf(usd: string): number {
  const [whole = '0', part = ''] = usd.split('.')
  return Number(whole) * millionths + Number(part.padEnd(places, '0'))
}

/** As people write it, without zeros at its end. */
export function usdOf(amount: number): string {
  const part = String(amount % millionths)
    .padStart(places, '0')
    .replace(/0+$/, '')
  const whole = Math.floor(amount / millionths)
  return part === '' ? `${whole}` : `${whole}.${part}`
}

/** What the tries of one run have used, up to the bounds of each: of what none of them said, nothing is known. */
export function addUsage(one: Usage | null | undefined, other: Usage | undefined): Usage {
  const sums = {
    inputTokens: sumOf([one?.inputTokens, other?.inputTokens]),
    outputTokens: sumOf([one?.outputTokens, other?.outputTokens]),
    usd: addUsd(one?.usd, other?.usd),
  }
  return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== undefined))
}

function sumOf(given: readonly (number | undefined)[]): number | undefined {
  const known = given.filter((value) => value !== undefined)
  if (known.length === 0) return undefined
  return Math.min(
    mostTokens,
    known.reduce((sum, value) => sum + value),
  )
}

function addUsd(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return usdOf(Math.min(mostMillionths, millionthsOf(one) + millionthsOf(other)))
}

const Count = z.int().nonnegative()

/**
 * What runs have used, as far as their agents said it. A run counts once its agent was started, or could not be, and it is over or lost. Of
 * one that said nothing of money or of tokens, nothing is added, and it is counted as unknown.
 */
export const UsageSum = z.strictObject({
  runs: Count,
  runsOfUnknownCost: Count,
  runsOfUnknownTokens: Count,
  inputTokens: Count,
  outputTokens: Count,
  /** US dollars as a decimal text. */
  usd: z.string(),
  /** From the start of each agent to the end of its run. */
  seconds: Count,
})
export type UsageSum = z.infer<typeof UsageSum>

/** How a run ended. `failed`: its agent was never started, or never attached. */
export const RunEnd = z.enum(['delivered', 'exited', 'lost', 'cancelled', 'failed'])
export type RunEnd = z.infer<typeof RunEnd>

/** How many runs ended in each way. One that is to go on, or that another one goes on with, has no end, and neither has one whose end was not kept. */
export const RunEnds = z.record(RunEnd, Count)
export type RunEnds = z.infer<typeof RunEnds>

export const noEnds: RunEnds = { delivered: 0, exited: 0, lost: 0, cancelled: 0, failed: 0 }

export const noUsage: UsageSum = {
  runs: 0,
  runsOfUnknownCost: 0,
  runsOfUnknownTokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd: '0',
  seconds: 0,
}

/** What a mission may use before nothing of it is launched any more; null sets no bound, and 0 lets nothing begin. */
export const Budget = z.strictObject({
  usd: Usd.nullable(),
  /** Input and output together. */
  tokens: Tokens.nullable(),
  /** Launches, whatever becomes of them; not those that ended before a runner took them. */
  runs: z.int().nonnegative().max(1_000_000).nullable(),
})
export type Budget = z.infer<typeof Budget>

export const noBudget: Budget = { usd: null, tokens: null, runs: null }

/** `set`: of any bound. `spent`: one of them is used up, so that nothing more of the mission is launched. */
export const BudgetStanding = z.enum(['set', 'spent'])
export type BudgetStanding = z.infer<typeof BudgetStanding>

/** What is left out stays as it is. */
export const BudgetChange = Budget.partial()
export type BudgetChange = z.infer<typeof BudgetChange>

/**
 * Agents of which it is known before their first run that they say what a run cost. The rows of the runner hold the
 * other side of it; an agent that a machine added says it by its runs.
 */
export const agentsThatTellCost: ReadonlySet<string> = new Set(['claude'])

/** The columns by which usage is summed. `week` is its Monday, in UTC. */
export const UsageGroup = z.enum(['project', 'agent', 'model', 'week'])
export type UsageGroup = z.infer<typeof UsageGroup>
