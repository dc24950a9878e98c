import { type Usage, addUsage, millionthsOf } from '@svc/contracts/usage'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

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
  const more = growthOf(shareOf(before), shareOf(used))
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

/** It is over, or held lost, and its agent was started: of what it used nothing may be known, but it counts. */
export function countsUnreported({ used, started_at, ended_at, outcome }: ExecutionRequestRow) {
  return used === null && started_at !== null && (ended_at !== null || outcome === 'lost')
}

function secondsOf({ started_at, used }: ExecutionRequestRow, now: Date): number {
  if (started_at === null) return used?.seconds ?? 0
  return Math.max(0, Math.round((now.getTime() - started_at.getTime()) / 1000))
}

type Share = Record<
  | 'runs'
  | 'runs_without_usd'
  | 'runs_without_tokens'
  | 'input_tokens'
  | 'output_tokens'
  | 'millionths'
  | 'seconds',
  number
>

function shareOf(used: ExecutionRequestRow['used']): Share {
  const { inputTokens, outputTokens, usd, seconds = 0 } = used ?? {}
  const runs = used === null ? 0 : 1
  const tellsTokens = inputTokens !== undefined || outputTokens !== undefined
  return {
    runs,
    runs_without_usd: usd === undefined ? runs : 0,
    runs_without_tokens: tellsTokens ? 0 : runs,
    input_tokens: inputTokens ?? 0,
    output_tokens: outputTokens ?? 0,
    millionths: usd === undefined ? 0 : millionthsOf(usd),
    seconds,
  }
}

function growthOf(before: Share, after: Share): Share {
  return {
    runs: after.runs - before.runs,
    runs_without_usd: after.runs_without_usd - before.runs_without_usd,
    runs_without_tokens: after.runs_without_tokens - before.runs_without_tokens,
    input_tokens: after.input_tokens - before.input_tokens,
    output_tokens: after.output_tokens - before.output_tokens,
    millionths: after.millionths - before.millionths,
    seconds: after.seconds - before.seconds,
  }
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
  return sql`
    insert into usage_weeks as w (workspace_id, week, project_id, agent, model, runs, runs_without_usd,
                                  runs_without_tokens, input_tokens, output_tokens, millionths, seconds)
    values (${workspace_id}, date_trunc('week', ${created_at}::timestamptz, 'UTC'), ${project_id}, ${agent},
            ${config.model.value ?? ''}, ${more.runs}, ${more.runs_without_usd}, ${more.runs_without_tokens},
            ${more.input_tokens}, ${more.output_tokens}, ${more.millionths}, ${more.seconds})
    on conflict (workspace_id, week, project_id, agent, model) do update set
      runs = w.runs + excluded.runs,
      runs_without_usd = w.runs_without_usd + excluded.runs_without_usd,
      runs_without_tokens = w.runs_without_tokens + excluded.runs_without_tokens,
      input_tokens = w.input_tokens + excluded.input_tokens,
      output_tokens = w.output_tokens + excluded.output_tokens,
      millionths = w.millionths + excluded.millionths,
      seconds = w.seconds + excluded.seconds`
}
