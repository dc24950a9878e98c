import type { RouteRequest } from '@svc/contracts/rest'
import { type Command, type Foreseen, command, hold } from './command.ts'
import { missions, ofDeleted } from './affected.ts'
import { type Mission, type Request, type State, found } from './state.ts'

/** What its runs have used and how often it was launched, from the runs and not from what the mission says of them. */
function usedIn(state: State, mission: string) {
  const runs = state.requests.filter((one) => one.mission === mission)
  const sum = (of: (used: NonNullable<Request['used']>) => number) =>
    runs.reduce((all, { used }) => all + (used ? of(used) : 0), 0)
  return {
    usd: sum(({ usd = '0' }) => Number(usd)),
    tokens: sum(({ inputTokens = 0, outputTokens = 0 }) => inputTokens + outputTokens),
    launches: runs.filter(({ taken, ended }) => taken || !ended).length,
  }
}

/** The budget of its mission is used up; `replaces` launches give their place to this one. */
export function isSpent(state: State, mission: string, replaces = 0): boolean {
  const { usd, tokens, runs } = found(state.missions, mission).budget
  const used = usedIn(state, mission)
  return (
    (usd !== null && used.usd >= usd) ||
    (tokens !== null && used.tokens >= tokens) ||
    (runs !== null && used.launches - replaces >= runs)
  )
}

/** The agents of a sequence are none that are known to say what they cost: one that has said it once is believed. */
function tellsCost(state: State, agent: string): boolean {
  return state.requests.some((one) => one.agent === agent && one.used?.usd !== undefined)
}

/** Decision 89. */
export function foreseeBudget(
  state: State,
  mission: string,
  { agent, live }: { agent: string; live: Request | undefined },
): Foreseen {
  if (isSpent(state, mission, live && !live.taken ? 1 : 0)) return 'budget_exhausted'
  const { usd, tokens, runs } = found(state.missions, mission).budget
  const isMoneyAlone = usd !== null && tokens === null && runs === null
  return isMoneyAlone && !tellsCost(state, agent) ? 'budget_unknown_cost' : undefined
}

/** I-31. Of what was not launched by a call for it: the work of a run that nobody took gives its launch back first. */
export function checkWithinBudget(before: State, after: State): void {
  const known = new Set(before.requests.map(({ id }) => id))
  const givenBack = (mission: string) =>
    before.requests.filter(
      (one) =>
        one.mission === mission && !one.taken && !one.ended && found(after.requests, one.id).ended,
    ).length
  const past = after.requests.find(
    ({ id, mission }) => !known.has(id) && isSpent(before, mission, givenBack(mission)),
  )
  hold(!past, 'I-31', `${past?.id} was launched past the budget of its mission`)
}

/** What agents say that they have used; quarters of a dollar, which no sum makes inexact. */
const usages = [
  undefined,
  { usd: '0.25', inputTokens: 10, outputTokens: 2 },
  { inputTokens: 30 },
  { usd: '1.5' },
] as const
export function usageFor(how: number) {
  const usage = usages[how % usages.length]
  return usage && { usage: { ...usage } }
}

type Budget = NonNullable<RouteRequest<'updateMission'>['budget']>

/** Bounds that are soon reached, and their end. */
function budgetFor(state: State, { id }: Mission, how: number): Budget {
  const { launches } = usedIn(state, id)
  const budgets: readonly Budget[] = [
    { runs: launches, usd: null, tokens: null },
    { usd: '0.25', tokens: null, runs: null },
    { tokens: 12, runs: launches + 1 },
    { usd: null, tokens: null, runs: null },
  ]
  return budgets[how % budgets.length] ?? {}
}

export const budgetCommands: Record<string, Command> = {
  setBudget: command({
    weight: 10,
    targets: missions,
    foresee: (_, mission) => ofDeleted(mission),
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage, state }, mission, how, options) =>
      stage.alice.call(
        'updateMission',
        { id: mission.id, budget: budgetFor(state, mission, how) },
        options,
      ),
    expect({ before, after }, mission, how) {
      const { usd, ...rest } = budgetFor(before, mission, how)
      const wanted = {
        ...mission.budget,
        ...rest,
        ...(usd !== undefined && { usd: usd === null ? null : Number(usd) }),
      }
      const now = found(after.missions, mission.id).budget
      hold(JSON.stringify(now) === JSON.stringify(wanted), 'budget', 'its budget is another one')
    },
  }),
}
