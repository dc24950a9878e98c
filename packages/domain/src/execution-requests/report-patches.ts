import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/** Patches of files that were reported before. One that comes again takes its own place. */
export async function reportRunPatches(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportRunPatches'>,
): Promise<RouteOutput<'reportRunPatches'>> {
  const positions = input.patches.map(({ position }) => position)
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, input.id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, input.leaseToken)
    const ofReport = sql`
      workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
        and report = ${input.report}`
    const { rows } = await sql<{ position: number }>`
      update run_files r set patch = given.patch, patch_bytes = octet_length(given.patch)
        from jsonb_to_recordset(${JSON.stringify(input.patches)}::jsonb)
               as given(position int, patch text)
       where ${ofReport} and r.position = given.position
       returning r.position`.execute(tx)
    if (rows.length < new Set(positions).size) {
      throw new ServiceError(
        'not_found',
        'This report has no file in the place of one of these patches: send its files first.',
      )
    }
    const { rows: sums } = await sql<{ bytes: number }>`
      select coalesce(sum(patch_bytes), 0)::bigint as bytes from run_files where ${ofReport}`.execute(
      tx,
    )
    if ((sums[0]?.bytes ?? 0) > limits.runPatchBytes) {
      throw new ServiceError(
        'too_large',
        `A run keeps ${limits.runPatchBytes / 1024 / 1024} MiB of patches at most. Leave the rest out, and say so in \`truncated\`.`,
      )
    }
    return {}
  })
}
