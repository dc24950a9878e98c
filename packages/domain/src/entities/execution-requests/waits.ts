import { AgentLimit, isAgentLimit } from '@svc/contracts/agent-limit'
import type { ReleaseReason } from '@svc/contracts/runner'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

/** Doubled with every try that ends for the same reason, up to the longest. */
interface Pace {
  firstSeconds: number
  longestSeconds: number
}

const ofMachines: Pace = { firstSeconds: 5, longestSeconds: 300 }
const ofProviders: Pace = { firstSeconds: 300, longestSeconds: 3_600 }

/** No provider says that it takes nothing for longer: what says so is a mistake, and counts as nothing said. */
const mostDays = 35

interface Wait {
  /** The waits of every runner, to be stored. */
  waits: ExecutionRequestRow['waits']
  isRepeated: boolean
  /** The request is not offered to this runner before. */
  until: Date
}

/**
 * How long the runner that gives this request back leaves it alone: until the time that is known, else for longer with
 * each try. Others may take it at once. Decisions 24 and 87.
 */
export function waitAfter(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  reason: ReleaseReason,
  known?: string,
): Wait {
  const { waits, runner_id: runnerId } = request
  const { now } = tx.locks
  const others = Object.entries(waits).filter(([id]) => id !== runnerId)
  const kept = Object.fromEntries(others)
  if (runnerId === null || reason === 'runner_draining') {
    return { waits: kept, isRepeated: false, until: now }
  }
  const before = waits[runnerId]
  const pace = isAgentLimit(reason) ? ofProviders : ofMachines
  const tries = before?.reason === reason ? before.tries + 1 : 1
  const seconds = Math.min(pace.longestSeconds, pace.firstSeconds * 2 ** (tries - 1))
  const until = (known && readTime(known, now)) || tx.locks.secondsFromNow(seconds)
  const mine = { reason, tries, until: until.toISOString() }
  return { waits: { ...kept, [runnerId]: mine }, isRepeated: tries > 1, until }
}

/** In the place of a runner: all ephemeral ones, each of which is another one and would try it at once. */
const anyEphemeral = '00000000-0000-0000-0000-000000000000'

/** The same for the runner that has it now. What an ephemeral one gives back is offered to nobody before. Decision 150. */
export async function waitOfRunner(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  reason: ReleaseReason,
  known?: string,
): Promise<Wait & { runAfter?: Date }> {
  const { workspace_id, runner_id } = request
  const { rows } = await sql`
    select from runners where workspace_id = ${workspace_id} and id = ${runner_id} and ephemeral`.execute(
    tx,
  )
  if (rows.length === 0) return waitAfter(tx, request, reason, known)
  const wait = waitAfter(tx, { ...request, runner_id: anyEphemeral }, reason, known)
  return { ...wait, runAfter: wait.until }
}

/** Undefined where it has passed, or lies too far ahead. */
function readTime(text: string, now: Date): Date | undefined {
  const time = new Date(text)
  const aheadMs = time.getTime() - now.getTime()
  return aheadMs > 0 && aheadMs < mostDays * 86_400_000 ? time : undefined
}

/** What a runner gave back because of these resources is worth another try by it. */
export async function endWaits(
  tx: Tx,
  runner: RunnerRow,
  resourceKeys: readonly string[],
): Promise<void> {
  // SKIP LOCKED as the claim does: whoever holds such a row is about to move it
  await sql`
    update execution_requests
       set waits = jsonb_set(waits, array[${runner.id}::text, 'until'], to_jsonb(app.now()))
     where (workspace_id, id) in (
       select workspace_id, id from execution_requests
        where status = 'queued' and waits <> '{}' and workspace_id = ${runner.workspace_id}
          and resource_key = any(${resourceKeys}::text[]) and waits ? ${runner.id}::text
          and not ${isOfLimit(runner)}
          for no key update skip locked)`.execute(tx)
}

/** The same of what it left alone because of a limit of these agents, which work again. */
export async function endHolds(
  tx: Tx,
  runner: RunnerRow,
  agents: readonly string[],
): Promise<void> {
  await sql`
    update execution_requests
       set waits = jsonb_set(waits, array[${runner.id}::text, 'until'], to_jsonb(app.now())),
           run_after = least(run_after, app.now()),
           last_release = case when coalesce(runner_id, ${runner.id}) = ${runner.id}
                               then last_release - 'until' else last_release end
     where (workspace_id, id) in (
       select workspace_id, id from execution_requests
        where status = 'queued' and waits <> '{}' and workspace_id = ${runner.workspace_id}
          and agent = any(${agents}::text[]) and waits ? ${runner.id}::text and ${isOfLimit(runner)}
          for no key update skip locked)`.execute(tx)
}

function isOfLimit({ id }: RunnerRow): RawBuilder<boolean> {
  const kinds = sql.join(AgentLimit.options.map((kind) => sql.lit(kind)))
  return sql`(waits -> ${id}::text ->> 'reason' in (${kinds}))`
}
