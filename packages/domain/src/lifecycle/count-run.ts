import { type RunEnd, type Usage, addUsage, millionthsOf } from '@svc/contracts/usage'
import type { ExecutionRequestRow, ObjectiveRow, UsageWeekRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { selectObjective } from '../entities/objectives/queries.ts'

/**
 * Puts the share of a run into the sums of its objective, its mission and its week. What is told is added to what earlier
 * tries of it told, and a later share takes the place of an earlier one: a run that was lost first and reported then counts
 * once. The caller holds the locks of the run. Written with the commit.
 */
export function countRun(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  told?: Usage,
): ExecutionRequestRow {
  tx.locks.require('mission')
  const { workspace_id, mission_id, objective_id, used: before } = request
  const used = { ...addUsage(before, told), seconds: secondsOf(request, tx.locks.now) }
  const more = growthOf(shareOf(request), shareOf({ ...request, used }))
  const usedMore = {
    used_runs: more.runs,
    used_runs_without_usd: more.runs_without_usd,
    used_runs_without_tokens: more.runs_without_tokens,
    used_input_tokens: more.input_tokens,
    used_output_tokens: more.output_tokens,
    used_millionths: more.millionths,
    used_seconds: more.seconds,
  }
  tx.pending.add('missions', { workspace_id, id: mission_id }, usedMore)
  tx.pending.add('objectives', { workspace_id, id: objective_id }, usedMore)
  tx.pending.addLast(nameOfWeek(request), addToWeek(request, more))
  return tx.pending.move('execution_requests', request, { used })
}

/** Of a run that counts already: that it has ended, or that it goes on after all. Written with the commit. */
export function countEnd(
  tx: UnitOfWork,
  before: ExecutionRequestRow,
  after: ExecutionRequestRow,
): void {
  if (endOf(before) === endOf(after)) return
  tx.locks.require('mission')
  tx.pending.addLast(nameOfWeek(after), addToWeek(after, growthOf(shareOf(before), shareOf(after))))
}

/** An objective as it is read after a move of its run, which may have counted in it only by that. */
export async function withUseOf(
  tx: UnitOfWork,
  objective: ObjectiveRow,
  { before, after }: { before: ExecutionRequestRow; after: ExecutionRequestRow },
): Promise<ObjectiveRow> {
  if (after.used === before.used) return objective
  const { workspace_id, id } = objective
  return (await selectObjective(tx, workspace_id, id).executeTakeFirst()) ?? objective
}

/**
 * Its agent was started or could not be, and it is over or held lost: of what it used nothing may be known, but it counts. One
 * that ended while it waited for a runner, though one may have given it back before, brought about nothing.
 */
export function countsUnreported({
  used,
  started_at,
  status,
  ended_at,
  outcome,
}: ExecutionRequestRow): boolean {
  const wasBegun = started_at !== null || status === 'failed'
  return used === null && wasBegun && (ended_at !== null || outcome === 'lost')
}

function secondsOf({ started_at, used }: ExecutionRequestRow, now: Date): number {
  if (started_at === null) return used?.seconds ?? 0
  return Math.max(0, Math.round((now.getTime() - started_at.getTime()) / 1000))
}

/** What the sums of a week hold. */
export const summedColumns = [
  'runs',
  'runs_without_usd',
  'runs_without_tokens',
  'input_tokens',
  'output_tokens',
  'millionths',
  'seconds',
  'runs_delivered',
  'runs_exited',
  'runs_lost',
  'runs_cancelled',
  'runs_failed',
] as const satisfies readonly (keyof UsageWeekRow)[]

export type SummedColumn = (typeof summedColumns)[number]

type Share = Record<SummedColumn, number>

type Counted = Pick<ExecutionRequestRow, 'used' | 'status' | 'outcome' | 'gone_on'>

/** How a run has ended by now; undefined where it may go on, or another one goes on with it. */
function endOf({ status, outcome, gone_on }: Omit<Counted, 'used'>): RunEnd | undefined {
  if (gone_on) return undefined
  if (status === 'failed' || status === 'expired') return 'failed'
  if (status === 'cancelled') return 'cancelled'
  return outcome === null || outcome === 'running' || outcome === 'parked' ? undefined : outcome
}

function shareOf({ used, ...state }: Counted): Share {
  const { inputTokens, outputTokens, usd, seconds = 0 } = used ?? {}
  const runs = used === null ? 0 : 1
  const tellsTokens = inputTokens !== undefined || outputTokens !== undefined
  const end = endOf(state)
  const ended = (as: RunEnd) => (end === as ? runs : 0)
  return {
    runs,
    runs_without_usd: usd === undefined ? runs : 0,
    runs_without_tokens: tellsTokens ? 0 : runs,
    input_tokens: inputTokens ?? 0,
    output_tokens: outputTokens ?? 0,
    millionths: usd === undefined ? 0 : millionthsOf(usd),
    seconds,
    runs_delivered: ended('delivered'),
    runs_exited: ended('exited'),
    runs_lost: ended('lost'),
    runs_cancelled: ended('cancelled'),
    runs_failed: ended('failed'),
  }
}

function growthOf(before: Share, after: Share): Share {
  // each column has its own
  return Object.fromEntries(
    summedColumns.map((name) => [name, after[name] - before[name]]),
  ) as Share
}

/** By its key, with the time of the launch for its week: by either such rows have the same order. */
function nameOfWeek({ workspace_id, project_id, agent, config, created_at }: ExecutionRequestRow) {
  return JSON.stringify([workspace_id, project_id, agent, config.model.value, created_at])
}

/**
 * The week is that of the launch, which never changes, so a later share finds the row of the earlier one. All runs of an
 * agent in a project share it: it is the last row that a transaction locks.
 */
function addToWeek(
  { workspace_id, project_id, agent, config, created_at }: ExecutionRequestRow,
  more: Share,
): RawBuilder<unknown> {
  const names = summedColumns.map((name) => sql.ref(name))
  const amounts = summedColumns.map((name) => more[name])
  const added = names.map((name) => sql`${name} = w.${name} + excluded.${name}`)
  return sql`
    insert into usage_weeks as w (workspace_id, week, project_id, agent, model, ${sql.join(names)})
    values (${workspace_id}, date_trunc('week', ${created_at}::timestamptz, 'UTC'), ${project_id}, ${agent},
            ${config.model.value ?? ''}, ${sql.join(amounts)})
    on conflict (workspace_id, week, project_id, agent, model) do update set ${sql.join(added)}`
}
