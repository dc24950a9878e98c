import type { RouteInput } from '@svc/contracts/rest'
import { millionthsOf } from '@svc/contracts/usage'
import { sql } from 'kysely'
import { type AccessScope, authorize } from '../../access/authorize.ts'
import { recordChange } from '../../commit/records.ts'
import type { Actor } from '../../common/actor.ts'
import type { MissionRecord } from './queries.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

/** The caller holds the mission's lock. */
export async function setAutoAdvance(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  { auto_advance, scope }: { auto_advance: boolean; scope: AccessScope },
): Promise<void> {
  authorize(actor, 'mission:update', scope)
  if (auto_advance) authorize(actor, 'execution_request:create', scope)
  await writeMission(tx, actor, mission, { auto_advance })
}

/** What a mission is set to, and who turned auto-advance on. The caller holds its lock and has authorized. */
export async function writeMission(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  input: Omit<RouteInput<'updateMission'>, 'id'>,
): Promise<void> {
  const revision = mission.revision + 1
  await tx
    .updateTable('missions')
    .set({
      title: input.title ?? mission.title,
      priority: input.priority ?? mission.priority,
      allow_parallel_objectives: input.allowParallelObjectives ?? mission.allow_parallel_objectives,
      use_worktrees: orKept(input.useWorktrees, mission.use_worktrees),
      budget_millionths: orKept(toStored(input.budget?.usd), mission.budget_millionths),
      budget_tokens: orKept(input.budget?.tokens, mission.budget_tokens),
      budget_runs: orKept(input.budget?.runs, mission.budget_runs),
      auto_advance: input.auto_advance ?? mission.auto_advance,
      auto_advance_set_by: input.auto_advance === true ? actor.userId : mission.auto_advance_set_by,
      revision,
      updated_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', actor.workspaceId)
    .where('id', '=', mission.id)
    .execute()
  recordChange(tx, { mission: { ...mission, revision } }, 'update')
}

/** Null is a value of its own. */
function orKept<T>(given: T | null | undefined, kept: T | null): T | null {
  return given === undefined ? kept : given
}

function toStored(usd: string | null | undefined): number | null | undefined {
  return typeof usd === 'string' ? millionthsOf(usd) : usd
}
