import { findStep } from './journal.ts'
import type { Report } from './reports.ts'
import { type Run, Superseded } from './run.ts'

/**
 * The run's last word. The journal says so once the report lies in the outbox, which whoever comes after a crash
 * sends; where the disk had no room, only once the service has it. Throws when the journal cannot be written: the next
 * daemon then says it again.
 */
export async function reportLast(run: Run, report: Report): Promise<void> {
  const reason = report.call === 'reportReleased' ? { reason: report.body.reason } : {}
  const step = { step: 'reported', report: report.call, ...reason } as const
  const { isKept, end } = run.reports.send(report)
  const isRecorded = isKept && run.recordIfPossible(step)
  await end
  if (!isRecorded) run.record(step)
}

/** Nothing is left to report: the end is reported, or another run has to report it. */
export function hasSaidAll(run: Run): boolean {
  if (run.fence.aborted) return run.fence.reason instanceof Superseded
  return findStep(run.steps(), 'reported') !== undefined
}
