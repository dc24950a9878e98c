import type { RouteOutput } from '@svc/contracts/rest'
import type { RunEnd } from '@svc/contracts/usage'
import { duration } from '../../words/duration.ts'
import { outcomeWords, requestWords } from '../../words/states.ts'

export type Sum = RouteOutput<'getUsage'>['total']

/** How runs ended, and what is left of them: those that go on, by themselves or in another run, or whose end was not kept. */
export const endNames = ['delivered', 'exited', 'lost', 'cancelled', 'failed', 'open'] as const
export type EndName = RunEnd | 'open'

export const endWords: Readonly<Record<EndName, string>> = {
  delivered: outcomeWords.delivered.word,
  exited: outcomeWords.exited.word,
  lost: outcomeWords.lost.word,
  cancelled: outcomeWords.cancelled.word,
  failed: requestWords.failed.word,
  open: 'goes on',
}

export function countOf({ runs, ends }: Sum, end: EndName): number {
  if (end !== 'open') return ends[end]
  return runs - ends.delivered - ends.exited - ends.lost - ends.cancelled - ends.failed
}

/** No agent of these runs has said what they cost, or what tokens they used: that is nothing known, and not 0. */
export const tellsCost = ({ runs, runsOfUnknownCost }: Sum) => runsOfUnknownCost < runs
export const tellsTokens = ({ runs, runsOfUnknownTokens }: Sum) => runsOfUnknownTokens < runs

const notTold = 'not told by the tool'

interface Column {
  key: string
  title: string
  /** As it is read. */
  say: (sum: Sum) => string
  /** As a program takes it. */
  raw: (sum: Sum) => string
}

const count = (key: string, title: string, of: (sum: Sum) => number): Column => ({
  key,
  title,
  say: (sum) => of(sum).toLocaleString(),
  raw: (sum) => String(of(sum)),
})

/** What a table of sums has in its columns. */
export const columns: readonly Column[] = [
  count('runs', 'Runs', ({ runs }) => runs),
  ...endNames.map((end) => count(end, endWords[end], (sum) => countOf(sum, end))),
  {
    key: 'cost',
    title: 'Cost',
    say: (sum) => (tellsCost(sum) ? `$${sum.usd}` : `cost ${notTold}`),
    raw: (sum) => (tellsCost(sum) ? sum.usd : ''),
  },
  count('untold', 'Cost not told', ({ runsOfUnknownCost }) => runsOfUnknownCost),
  ...(['inputTokens', 'outputTokens'] as const).map((name) => ({
    key: name,
    title: name === 'inputTokens' ? 'Tokens in' : 'Tokens out',
    say: (sum: Sum) => (tellsTokens(sum) ? sum[name].toLocaleString() : notTold),
    raw: (sum: Sum) => (tellsTokens(sum) ? String(sum[name]) : ''),
  })),
  {
    key: 'seconds',
    title: 'Time',
    say: ({ seconds }) => duration(seconds),
    raw: ({ seconds }) => String(seconds),
  },
]

/** All of it in a sentence. */
export function describeSum(sum: Sum): string {
  if (sum.runs === 0) return 'No run of these weeks is over yet.'
  const { runs, runsOfUnknownCost: untold, usd, seconds } = sum
  const number = (value: number) => `${value.toLocaleString()} ${value === 1 ? 'run' : 'runs'}`
  const cost = tellsCost(sum) ? `$${usd}` : `cost ${notTold}`
  const without =
    untold > 0 && tellsCost(sum) ? ` and ${number(untold)} whose cost was ${notTold}` : ''
  return `${number(runs)}, ${cost}${without}, ${duration(seconds)}.`
}
