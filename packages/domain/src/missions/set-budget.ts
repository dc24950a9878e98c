import { isMoneyAlone, spentBound } from '@svc/contracts/budget'
import { ServiceError } from '@svc/contracts/errors'
import type { BudgetWarning } from '@svc/contracts/mission'
import { agentsThatTellCost } from '@svc/contracts/usage'
import { isDeepStrictEqual } from 'node:util'
import { isMachine } from '../access/is-machine.ts'
import { recordAudit } from '../audit/record.ts'
import type { Actor } from '../common/actor.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { selectTelling } from '../entities/objectives/launch-budget.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { viewBudget, viewUsage } from '../entities/missions/usage.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import type { UseCase } from '../use-case.ts'

/** What holds the agents back is no agent's and no runner's to move. */
export function refuseIfOfMachine(actor: Actor): void {
  if (!isMachine(actor)) return
  throw new ServiceError(
    'forbidden',
    'A person sets the budget of a mission, and this token is one of a runner or a run. Use one of your own.',
    { permission: 'mission:update' },
  )
}

interface Changed {
  before: MissionRecord
  after: MissionRecord
}

/** Who may spend how much is kept for good, like every right. Answers what it means for launches. */
export async function recordBudget(
  tx: UnitOfWork,
  context: UseCase,
  actor: Actor,
  { before, after }: Changed,
): Promise<BudgetWarning[]> {
  const [from, to] = [viewBudget(before), viewBudget(after)]
  if (!isDeepStrictEqual(from, to)) {
    recordAudit(tx, context, actor, {
      action: 'mission.budget_changed',
      targetId: after.id,
      projectId: after.project_id,
      details: { displayId: displayIdOfMission(after), from, to },
    })
  }
  return [...warnSpent(after), ...(await warnUnknown(tx, after))]
}

function warnSpent(mission: MissionRecord): BudgetWarning[] {
  const { launches } = mission
  const spent = spentBound({ budget: viewBudget(mission), launches, usage: viewUsage(mission) })
  if (!spent) return []
  const message = `Of ${spent.allowed} it has used ${spent.used} already: nothing more of it is launched. What runs goes on to its end.`
  return [{ code: 'budget_exhausted', message }]
}

/** Warns of agents that the objectives name and that a budget of money alone would refuse, since their cost is unknown. */
async function warnUnknown(tx: UnitOfWork, mission: MissionRecord): Promise<BudgetWarning[]> {
  if (!isMoneyAlone(viewBudget(mission))) return []
  const { workspace_id, id } = mission
  const named = await tx
    .selectFrom('objectives')
    .select('assigned_agent')
    .distinct()
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .where('deleted_at', 'is', null)
    .where('state', '<>', 'complete')
    .execute()
  const agents = named
    .flatMap(({ assigned_agent: agent }) => (agent === null ? [] : [agent]))
    .filter((agent) => !agentsThatTellCost.has(agent))
  if (agents.length === 0) return []
  const { rows } = await selectTelling(workspace_id, agents).execute(tx)
  const telling = new Set(rows.map(({ agent }) => agent))
  return agents
    .filter((agent) => !telling.has(agent))
    .map((agent) => ({
      code: 'budget_unknown_cost' as const,
      message: `No run of ${agent} has said yet what it cost, so it is launched only once runs or tokens are bounded, too.`,
    }))
}
