import type { ReleaseReason } from '@svc/contracts/runner'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

/** Doubled with every try that ends for the same reason, up to the longest. */
const firstSeconds = 5
const longestSeconds = 300

interface Wait {
  /** The waits of every runner, to be stored. */
  waits: ExecutionRequestRow['waits']
  isRepeated: boolean
}

/** How long the runner that gives this request back leaves it alone. Others may take it at once. Decision 24. */
export function waitAfter(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  reason: ReleaseReason,
): Wait {
  const { waits, runner_id: runnerId } = request
  const others = Object.entries(waits).filter(([id]) => id !== runnerId)
  const kept = Object.fromEntries(others)
  if (runnerId === null || reason === 'runner_draining') return { waits: kept, isRepeated: false }
  const before = waits[runnerId]
  const tries = before?.reason === reason ? before.tries + 1 : 1
  const seconds = Math.min(longestSeconds, firstSeconds * 2 ** (tries - 1))
  const mine = { reason, tries, until: tx.locks.secondsFromNow(seconds).toISOString() }
  return { waits: { ...kept, [runnerId]: mine }, isRepeated: tries > 1 }
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
          for no key update skip locked)`.execute(tx)
}
