import { isMoneyAlone, spentBound } from '@svc/contracts/budget'
import { ServiceError } from '@svc/contracts/errors'
import { agentsThatTellCost } from '@svc/contracts/usage'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import type { MissionRecord } from '../missions/queries.ts'
import { viewBudget, viewUsage } from '../missions/usage.ts'
import { displayIdOfMission } from '../missions/views.ts'

/** What a budget is judged by, as it is under the mission's lock. */
export type Budgeted = Pick<
  MissionRecord,
  'budget_millionths' | 'budget_tokens' | 'budget_runs' | 'launches'
> &
  Parameters<typeof viewUsage>[0]

export type BudgetRefusal = 'budget_exhausted' | 'budget_unknown_cost'

interface Launch {
  agent: string
  /** Whether the agent says what its runs cost, asked for only where that decides. */
  tellsCost: boolean
  /** Launches that this one takes the place of. */
  replaces?: number
}

/** Why nothing more is launched of it; undefined where it may be. */
export function judgeBudget(mission: Budgeted, launch: Launch): BudgetRefusal | undefined {
  if (spentOf(mission, launch.replaces)) return 'budget_exhausted'
  return needsCost(mission, launch.agent) && !launch.tellsCost ? 'budget_unknown_cost' : undefined
}

function spentOf(mission: Budgeted, replaces = 0) {
  const launches = mission.launches - replaces
  return spentBound({ budget: viewBudget(mission), launches, usage: viewUsage(mission) })
}

/** Money is all that bounds it, and it is not known beforehand that this agent says what it costs. */
export function needsCost(mission: Budgeted, agent: string): boolean {
  return isMoneyAlone(viewBudget(mission)) && !agentsThatTellCost.has(agent)
}

/** Those of these agents of which a run in this workspace has said what it cost. */
export function selectTelling(
  workspaceId: string,
  agents: readonly string[],
): RawBuilder<{ agent: string }> {
  return sql<{ agent: string }>`
    select asked.agent from unnest(${agents}::text[]) as asked(agent)
     where (select true from usage_weeks w
             where w.agent = asked.agent and w.workspace_id = ${workspaceId}
               and w.runs > w.runs_without_usd
             order by w.week desc limit 1)`
}

/**
 * Past its budget nothing more of a mission is launched; what runs goes on. The caller holds the mission's lock. An agent
 * that does not say what it costs is launched under a budget of money only where that bounds tokens or runs, too.
 */
export async function refuseIfOverBudget(
  db: Queryable,
  mission: MissionRecord,
  { agent, replaces }: Pick<Launch, 'agent' | 'replaces'> & { replaces: number },
): Promise<void> {
  const spent = spentOf(mission, replaces)
  if (spent) throw exhausted(mission, spent)
  if (!needsCost(mission, agent)) return
  const { rows } = await selectTelling(mission.workspace_id, [agent]).execute(db)
  if (rows.length === 0) throw unknownCost(mission, agent)
}

function exhausted(
  mission: MissionRecord,
  { bound, allowed, used }: NonNullable<ReturnType<typeof spentOf>>,
): ServiceError {
  const id = displayIdOfMission(mission)
  return new ServiceError(
    'budget_exhausted',
    `${id} has used ${used} of its budget of ${allowed}, so nothing more of it is launched until a person raises that.`,
    { bound, allowed, used },
    { next: raise(id, bound) },
  )
}

function unknownCost(mission: MissionRecord, agent: string): ServiceError {
  const id = displayIdOfMission(mission)
  return new ServiceError(
    'budget_unknown_cost',
    `${id} has a budget of money alone, and no run of ${agent} has said yet what it cost. Bound its runs or tokens, too.`,
    { agent },
    { next: raise(id, 'runs') },
  )
}

function raise(id: string, bound: 'usd' | 'tokens' | 'runs') {
  return { operation: 'updateMission', params: { id, budget: { [bound]: `<${bound}>` } } } as const
}
