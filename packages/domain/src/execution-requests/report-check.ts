import { type CheckReport, describeCheck, outcomeOfAll } from '@svc/contracts/check'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../common/actor.ts'
import { recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { recordRequestChange } from '../lifecycle/move-request.ts'
import { lockRequestAlone } from '../lifecycle/locks.ts'
import type { UseCase } from '../use-case.ts'
import { authorizeReport } from './report.ts'

/**
 * What the supervisor of a run says of the checks that a delivery waits for: that they have begun, then what they came
 * to. The first report of an attempt counts, and one of an attempt that nobody waits for changes nothing. Decision 88.
 */
export function reportCheck(
  context: UseCase,
  actor: Actor,
  { id, leaseToken, attempt, report }: RouteInput<'reportCheck'>,
): Promise<RouteOutput<'reportCheck'>> {
  return inTransaction(context, async (tx) => {
    const { request } = await lockRequestAlone(tx, actor.workspaceId, id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, leaseToken)
    const { checks } = request
    const isWaitedFor = checks?.attempt === attempt && !checks.report && request.ended_at === null
    if (!isWaitedFor || request.outcome !== 'running') return {}
    const now = tx.locks.now.toISOString()
    if (report === undefined) {
      if (checks.begunAt !== undefined) return {}
      tx.pending.move('execution_requests', request, { checks: { ...checks, begunAt: now } })
      return {}
    }
    const reported = { ...checks, report, reportedAt: now }
    const after = tx.pending.move('execution_requests', request, { checks: reported })
    recordRequestChange(tx, after, 'check')
    recordEvent(
      tx,
      { userId: actor.userId, role: 'runner' },
      { execution_request: request },
      {
        type: 'check_run',
        summary: summaryOf(report),
        data: { executionRequestId: request.id, attempt, outcome: outcomeOfAll(report.results) },
      },
    )
    return {}
  })
}

function summaryOf({ results, commit, repeated }: CheckReport): string {
  const at = commit === null ? '' : ` at ${commit.slice(0, 12)}`
  const again = repeated ? '; nothing had changed since the check before' : ''
  return `Before the delivery: ${results.map(describeCheck).join('; ')}${at}${again}`
}
